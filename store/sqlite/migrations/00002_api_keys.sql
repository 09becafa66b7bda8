-- +goose Up
CREATE TABLE api_keys (
  id      TEXT PRIMARY KEY,
  user    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  hash    TEXT NOT NULL,
  scopes  TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER
) STRICT;
CREATE INDEX api_keys_user ON api_keys (user);

-- +goose Down
DROP TABLE api_keys;
