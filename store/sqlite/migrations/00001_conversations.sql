-- +goose Up
CREATE TABLE counter (n INTEGER NOT NULL);
INSERT INTO counter VALUES (0);

CREATE TABLE users (
  id       TEXT PRIMARY KEY,
  name     TEXT NOT NULL,
  plan     TEXT NOT NULL,
  key_hash TEXT UNIQUE,
  created  INTEGER NOT NULL
) STRICT;

CREATE TABLE conversations (
  id        TEXT PRIMARY KEY,
  user      TEXT NOT NULL,
  title     TEXT NOT NULL,
  folded    TEXT NOT NULL,
  pack      TEXT NOT NULL,
  chat_type TEXT NOT NULL,
  created   INTEGER NOT NULL,
  updated   INTEGER NOT NULL,
  touched   INTEGER NOT NULL,
  last_seq  INTEGER NOT NULL,
  archived  INTEGER,
  deleted   INTEGER,
  share     TEXT UNIQUE
) STRICT;
CREATE INDEX conversations_list ON conversations (user, touched);

CREATE TABLE messages (
  conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  seq          INTEGER NOT NULL,
  turn         INTEGER NOT NULL,
  role         TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
  content      TEXT NOT NULL,
  folded       TEXT NOT NULL,
  tokens       INTEGER NOT NULL,
  metadata     TEXT,
  created      INTEGER NOT NULL,
  deleted      INTEGER,
  PRIMARY KEY (conversation, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX messages_one_answer ON messages (conversation, turn) WHERE role = 'assistant';
CREATE INDEX messages_order ON messages (conversation, turn, seq);

CREATE TABLE requests (
  user         TEXT NOT NULL,
  key          TEXT NOT NULL,
  conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  turn         INTEGER NOT NULL,
  PRIMARY KEY (user, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_conversation ON requests (conversation);

CREATE TABLE usage (
  user TEXT NOT NULL,
  at   INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_user ON usage (user, at);

CREATE TABLE runs (
  trace        TEXT NOT NULL,
  user         TEXT NOT NULL,
  conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  turn         INTEGER NOT NULL,
  at           INTEGER NOT NULL,
  pack         TEXT NOT NULL,
  type         TEXT NOT NULL,
  prompt       TEXT NOT NULL,
  variant      TEXT NOT NULL,
  topic        TEXT NOT NULL,
  elapsed      INTEGER NOT NULL,
  calls        INTEGER NOT NULL,
  tokens       INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_at ON runs (at);
CREATE INDEX runs_conversation ON runs (conversation);

CREATE TABLE feedback (
  conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  seq          INTEGER NOT NULL,
  rating       INTEGER NOT NULL,
  comment      TEXT NOT NULL,
  created      INTEGER NOT NULL,
  PRIMARY KEY (conversation, seq)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE feedback;
DROP TABLE runs;
DROP TABLE usage;
DROP TABLE requests;
DROP TABLE messages;
DROP TABLE conversations;
DROP TABLE users;
DROP TABLE counter;
