-- +goose Up
-- The way of each answer, so that any node can show or repeat what another gave. One
-- without a conversation belongs to no row of conversations, so nothing refers to it.
CREATE TABLE traces (
  id           text PRIMARY KEY,
  owner        text NOT NULL,
  conversation text NOT NULL,
  at           bigint NOT NULL,
  record       text NOT NULL -- JSON, byte for byte
);
CREATE INDEX traces_at ON traces (at);
CREATE INDEX traces_owner ON traces (owner);
CREATE INDEX traces_conversation ON traces (conversation);

-- +goose Down
DROP TABLE traces;
