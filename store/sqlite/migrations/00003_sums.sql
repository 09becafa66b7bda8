-- +goose Up
-- What a message says, summed up; null for those stored before.
ALTER TABLE messages ADD COLUMN sum INTEGER;

-- +goose Down
ALTER TABLE messages DROP COLUMN sum;
