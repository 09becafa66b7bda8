-- +goose Up
-- The chain of audit of all nodes, line by line as it was hashed, and the public key
-- that signs it. Lines are added under an advisory lock.
CREATE TABLE audit_lines (
  seq  bigint PRIMARY KEY,
  mark boolean NOT NULL, -- a checkpoint: nothing is pending behind it
  line text NOT NULL
);
CREATE TABLE audit_keys (
  one    boolean PRIMARY KEY DEFAULT true CHECK (one),
  public text NOT NULL
);

-- +goose Down
DROP TABLE audit_keys;
DROP TABLE audit_lines;
