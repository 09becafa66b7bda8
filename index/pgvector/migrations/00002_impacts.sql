-- +goose Up
-- Postings hold what a term is worth in each chunk (tf and length saturated, without
-- idf) as a vector of pgvector, so that a whole block is added up at once. Indexes of
-- the form before are no longer live and are built again.
UPDATE versions SET live = false;
DROP TABLE postings;

-- One row for each term of each block of 4,096 chunks. base is the first doc of the
-- block, n how many chunks of it have the term.
CREATE TABLE postings (
  term    bigint NOT NULL,
  base    bigint NOT NULL,
  version integer NOT NULL,
  n       integer NOT NULL,
  worth   sparsevec NOT NULL
) PARTITION BY LIST (version);
ALTER TABLE postings ALTER COLUMN worth SET STORAGE EXTERNAL; -- nothing to win by compressing
ALTER TABLE postings ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON postings USING (version IN (SELECT id FROM versions));
ALTER TABLE versions DROP COLUMN reference;
ALTER TABLE docs ADD COLUMN length integer NOT NULL DEFAULT 0; -- in stems

-- +goose Down
UPDATE versions SET live = false;
DROP TABLE postings;
ALTER TABLE docs DROP COLUMN length;
ALTER TABLE versions ADD COLUMN reference double precision NOT NULL DEFAULT 1;
CREATE TABLE postings (
  term    bigint NOT NULL,
  base    bigint NOT NULL,
  version integer NOT NULL,
  n       integer NOT NULL,
  top     real NOT NULL,
  posts   bigint[] NOT NULL
) PARTITION BY LIST (version);
ALTER TABLE postings ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON postings USING (version IN (SELECT id FROM versions));
