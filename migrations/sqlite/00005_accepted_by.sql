-- Who accepted a change.

-- +goose Up
PRAGMA user_version = 5;

ALTER TABLE acceptances ADD COLUMN author TEXT NOT NULL DEFAULT ''; -- as git names the author of a commit: Name <email>; '' where nobody knows
