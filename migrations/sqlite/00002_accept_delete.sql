-- Changes that were accepted, and runs that were deleted for good.
--
-- Both are records that travel between clones: uid is the SHA-256 of a record's
-- text, which its columns give back. Records are only ever added; what a record
-- says is taken back by another one.

-- +goose Up
PRAGMA user_version = 2;

-- A change of a benchmark that was intended, or the end of such an acceptance.
CREATE TABLE acceptances (
	id         INTEGER PRIMARY KEY AUTOINCREMENT, -- order of insertion
	uid        TEXT NOT NULL UNIQUE CHECK (length(uid) = 64 AND uid NOT GLOB '*[^0-9a-f]*'),
	target     TEXT NOT NULL CHECK (target <> ''),
	package    TEXT NOT NULL, -- '' when the producer names none
	benchmark  TEXT NOT NULL CHECK (benchmark <> ''),
	commit_sha TEXT NOT NULL CHECK (commit_sha <> '' AND commit_sha NOT GLOB '*[^0-9a-f]*'), -- that made the change
	reason     TEXT NOT NULL CHECK (reason <> ''),
	accepted   INTEGER NOT NULL,
	revokes    TEXT NOT NULL CHECK (revokes = '' OR length(revokes) = 64 AND revokes NOT GLOB '*[^0-9a-f]*') -- uid of the acceptance that this takes back
) STRICT;

CREATE INDEX acceptances_target ON acceptances (target);

-- +goose StatementBegin
CREATE TRIGGER acceptances_stay BEFORE UPDATE ON acceptances
BEGIN SELECT RAISE(ABORT, 'acceptances are only added'); END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER acceptances_last BEFORE DELETE ON acceptances
BEGIN SELECT RAISE(ABORT, 'acceptances are only added'); END;
-- +goose StatementEnd

-- A deletion of runs.
CREATE TABLE deletions (
	id      INTEGER PRIMARY KEY AUTOINCREMENT,
	uid     TEXT NOT NULL UNIQUE CHECK (length(uid) = 64 AND uid NOT GLOB '*[^0-9a-f]*'),
	deleted INTEGER NOT NULL,
	reason  TEXT NOT NULL CHECK (reason <> '')
) STRICT;

-- The runs that it deleted, whether they ever were in this database or not.
CREATE TABLE deleted_runs (
	run_uid     TEXT NOT NULL CHECK (length(run_uid) = 64 AND run_uid NOT GLOB '*[^0-9a-f]*'),
	deletion_id INTEGER NOT NULL REFERENCES deletions (id),
	PRIMARY KEY (run_uid, deletion_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX deleted_runs_deletion ON deleted_runs (deletion_id);
