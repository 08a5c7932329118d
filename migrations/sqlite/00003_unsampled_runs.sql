-- A run without samples: a side of a trial that had nothing to measure there.
--
-- SQLite cannot change a column's CHECK, and a table that others refer to cannot be
-- made anew inside a transaction: dropping it would delete the samples of its runs. So
-- each column gives its place to one that allows 0.

-- +goose Up
PRAGMA user_version = 3;

ALTER TABLE runs ADD COLUMN benchmarks_or_none INTEGER NOT NULL DEFAULT 0 CHECK (benchmarks_or_none >= 0); -- how many
ALTER TABLE runs ADD COLUMN rounds_or_none INTEGER NOT NULL DEFAULT 0 CHECK (rounds_or_none >= 0 AND (rounds_or_none = 0) = (benchmarks_or_none = 0)); -- of any benchmark
UPDATE runs SET benchmarks_or_none = benchmarks, rounds_or_none = max_rounds;
ALTER TABLE runs DROP COLUMN benchmarks;
ALTER TABLE runs DROP COLUMN max_rounds;
ALTER TABLE runs RENAME COLUMN benchmarks_or_none TO benchmarks;
ALTER TABLE runs RENAME COLUMN rounds_or_none TO max_rounds;
