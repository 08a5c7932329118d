-- How a run was planned, and by which rules it is judged. Runs of older versions have it in their facts.

-- +goose Up
PRAGMA user_version = 7;

ALTER TABLE runs ADD COLUMN protocol TEXT NOT NULL DEFAULT '' CHECK (protocol = '' OR json_valid(protocol)); -- an object, '' for none
