-- +goose Up
-- Small values that all nodes share, as allowances of models: changed under the lock of their row.
CREATE TABLE registers (
  name  text PRIMARY KEY,
  value text NOT NULL
);

-- +goose Down
DROP TABLE registers;
