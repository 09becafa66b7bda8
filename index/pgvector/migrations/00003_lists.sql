-- +goose Up
-- Postings hold frequencies, not what they are worth, and nodes add them up: the server
-- only reads. Filter values stand in lists of the same form. Indexes of the form before
-- are no longer live and are built again.
UPDATE versions SET live = false;
DROP TABLE postings, docs;

-- doc is version << 32 | place; places from 2^31 on are versions of texts no longer in force.
CREATE TABLE docs (
  version integer NOT NULL,
  doc     bigint NOT NULL,
  id      text COLLATE "C" NOT NULL,
  norm    text COLLATE "C" NOT NULL,
  unit    text COLLATE "C" NOT NULL
) PARTITION BY LIST (version);

-- What is known of the chunks of a block of 32,768: lengths and days.
CREATE TABLE blocks (
  version integer NOT NULL,
  base    bigint NOT NULL, -- the first doc
  columns bytea STORAGE EXTERNAL NOT NULL
) PARTITION BY LIST (version);

-- One row for each list (a term, or a value of a filter field) of each block: how many
-- chunks are in it, and which, with how often they have the term.
CREATE TABLE postings (
  term    bigint NOT NULL,
  base    bigint NOT NULL,
  version integer NOT NULL,
  n       integer NOT NULL,
  posts   bytea STORAGE EXTERNAL NOT NULL
) PARTITION BY LIST (version);

ALTER TABLE docs     ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE blocks   ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE postings ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON docs     USING (version IN (SELECT id FROM versions));
CREATE POLICY tenant ON blocks   USING (version IN (SELECT id FROM versions));
CREATE POLICY tenant ON postings USING (version IN (SELECT id FROM versions));

-- +goose Down
-- The indexes go, and are built again by the program of that form, which makes its tables anew.
DROP TABLE vectors, postings, blocks, docs, words, texts, versions;
