-- +goose Up
-- Small values that all processes on this file share.
CREATE TABLE registers (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- +goose Down
DROP TABLE registers;
