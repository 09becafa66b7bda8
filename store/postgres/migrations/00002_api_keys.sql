-- +goose Up
CREATE TABLE api_keys (
  id      text PRIMARY KEY,
  owner   text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  hash    text NOT NULL,
  scopes  text NOT NULL,
  created bigint NOT NULL,
  expires bigint
);
CREATE INDEX api_keys_user ON api_keys (owner);

-- +goose Down
DROP TABLE api_keys;
