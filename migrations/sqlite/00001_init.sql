-- The first schema of a perftrack database.
--
-- Conventions. A text that may be absent is '' when it is; a time is INTEGER
-- microseconds since 1970 UTC, NULL when unknown. Lists are JSON arrays, the
-- same length and order for all lists of a benchmark in a run. A run never
-- changes once it is inserted, so nothing here has an "updated" column.
--
-- Every file sets user_version to its own number: whoever opens a database
-- reads there, before touching anything, whether it knows the schema.

-- +goose Up
PRAGMA application_id = 0x50455246; -- "PERF"
PRAGMA user_version = 1;

CREATE TABLE environments (
	id       INTEGER PRIMARY KEY,
	key      TEXT NOT NULL UNIQUE CHECK (length(key) = 12), -- hash of the settings
	settings TEXT NOT NULL CHECK (json_valid(settings))     -- object: the facts that are the identity
) STRICT;

CREATE TABLE trials (
	id   INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE CHECK (name <> '')
) STRICT;

CREATE TABLE runs (
	id             INTEGER PRIMARY KEY AUTOINCREMENT, -- order of insertion, never used twice
	uid            TEXT NOT NULL UNIQUE CHECK (length(uid) = 64 AND uid NOT GLOB '*[^0-9a-f]*'), -- SHA-256 of the canonical text
	target         TEXT NOT NULL CHECK (target <> ''),
	commit_sha     TEXT NOT NULL CHECK (commit_sha NOT GLOB '*[^0-9a-f]*'), -- '' outside a git repository
	tree           TEXT NOT NULL CHECK (tree NOT GLOB '*[^0-9a-f]*'),
	branch         TEXT NOT NULL, -- '' when detached or unknown
	dirty          INTEGER NOT NULL CHECK (dirty IN (0, 1)),
	commit_time    INTEGER,
	environment_id INTEGER NOT NULL REFERENCES environments (id),
	facts          TEXT NOT NULL CHECK (json_valid(facts)), -- object: recorded, not identity
	started        INTEGER,
	ended          INTEGER,
	tool           TEXT NOT NULL, -- version of perftrack
	status         TEXT NOT NULL CHECK (status IN ('complete', 'partial', 'failed')),
	trial_id       INTEGER REFERENCES trials (id), -- NULL for a run measured alone
	side           TEXT NOT NULL CHECK (side IN ('', 'base', 'head')),
	units          TEXT NOT NULL CHECK (json_valid(units)),    -- array of {name, better, exact}
	failures       TEXT NOT NULL CHECK (json_valid(failures)), -- array of {benchmark, reason}
	benchmarks     INTEGER NOT NULL CHECK (benchmarks > 0),    -- how many
	max_rounds     INTEGER NOT NULL CHECK (max_rounds > 0)     -- of any benchmark
) STRICT;

CREATE INDEX runs_target ON runs (target);
CREATE INDEX runs_commit ON runs (commit_sha);
CREATE INDEX runs_environment ON runs (environment_id);
CREATE INDEX runs_trial ON runs (trial_id);

CREATE TABLE benchmarks (
	id      INTEGER PRIMARY KEY,
	target  TEXT NOT NULL CHECK (target <> ''),
	kind    TEXT NOT NULL CHECK (kind IN ('bench', 'scope')),
	suite   TEXT NOT NULL, -- '' when the producer names none
	package TEXT NOT NULL, -- '' when the producer names none
	name    TEXT NOT NULL CHECK (name <> ''),
	UNIQUE (target, name, package, suite, kind)
) STRICT;

-- When the samples of a benchmark in a run were taken, once for all its units.
CREATE TABLE rounds (
	benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
	run_id       INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
	rounds       TEXT NOT NULL CHECK (json_array_length(rounds) > 0), -- numbers, from 1 within the trial
	orders       TEXT NOT NULL CHECK (json_array_length(orders) = json_array_length(rounds)), -- places within the round, from 0
	iterations   TEXT NOT NULL CHECK (json_array_length(iterations) = json_array_length(rounds)),
	seeds        TEXT NOT NULL CHECK (json_array_length(seeds) = json_array_length(rounds)), -- strings: they need 64 bits without a sign
	PRIMARY KEY (benchmark_id, run_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX rounds_run ON rounds (run_id);

CREATE TABLE series (
	id           INTEGER PRIMARY KEY,
	benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
	unit         TEXT NOT NULL CHECK (unit <> ''), -- as the producer printed it
	UNIQUE (benchmark_id, unit)
) STRICT;

-- All samples of a series in a run are one row, and the rows of a series lie
-- together in the order of the runs: the history of a benchmark is one range.
-- null stands for a round without this unit; numbers are finite and not
-- negative, written with as many digits as bring back the same float64.
CREATE TABLE packed_samples (
	series_id INTEGER NOT NULL REFERENCES series (id),
	run_id    INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
	samples   TEXT NOT NULL CHECK (json_array_length(samples) > 0
		AND samples NOT GLOB '*[^]0-9.enul,[+-]*' AND samples NOT GLOB '*[[,]-*' AND samples NOT GLOB '?*[[]*'),
	PRIMARY KEY (series_id, run_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX packed_samples_run ON packed_samples (run_id);

-- One row a sample.
CREATE VIEW samples AS
SELECT
	r.uid AS run, r.commit_sha, r.target, b.package, b.suite, b.kind, b.name AS benchmark, s.unit,
	json_extract(n.rounds, '$[' || v.key || ']') AS round,
	json_extract(n.orders, '$[' || v.key || ']') AS round_order,
	json_extract(n.iterations, '$[' || v.key || ']') AS iterations,
	json_extract(n.seeds, '$[' || v.key || ']') AS seed,
	CAST(v.value AS REAL) AS value
FROM packed_samples p
JOIN series s ON s.id = p.series_id
JOIN benchmarks b ON b.id = s.benchmark_id
JOIN runs r ON r.id = p.run_id
JOIN rounds n ON n.benchmark_id = b.id AND n.run_id = r.id
JOIN json_each(p.samples) v
WHERE v.type <> 'null';

-- One row a run and benchmark, with the medians of the usual units. Each is
-- computed only where it is asked for, so a query for one run reads one run.
CREATE VIEW methods AS
SELECT
	r.uid AS run, r.target, r.commit_sha, r.branch, r.dirty,
	strftime('%Y-%m-%dT%H:%M:%SZ', r.started / 1000000, 'unixepoch') AS started,
	r.status, t.name AS trial, r.side, e.key AS environment,
	b.kind, b.suite, b.package, b.name AS benchmark,
	json_array_length(n.rounds) AS rounds,
	(SELECT avg(value) FROM (
		SELECT CAST(v.value AS REAL) AS value, row_number() OVER (ORDER BY v.value) AS place, count(*) OVER () AS n
		FROM series s JOIN packed_samples p ON p.series_id = s.id JOIN json_each(p.samples) v
		WHERE s.benchmark_id = b.id AND s.unit = 'ns/op' AND p.run_id = r.id AND v.type <> 'null'
	) WHERE place IN ((n + 1) / 2, (n + 2) / 2)) AS ns_per_op,
	(SELECT avg(value) FROM (
		SELECT CAST(v.value AS REAL) AS value, row_number() OVER (ORDER BY v.value) AS place, count(*) OVER () AS n
		FROM series s JOIN packed_samples p ON p.series_id = s.id JOIN json_each(p.samples) v
		WHERE s.benchmark_id = b.id AND s.unit = 'GFLOPS' AND p.run_id = r.id AND v.type <> 'null'
	) WHERE place IN ((n + 1) / 2, (n + 2) / 2)) AS gflops,
	(SELECT avg(value) FROM (
		SELECT CAST(v.value AS REAL) AS value, row_number() OVER (ORDER BY v.value) AS place, count(*) OVER () AS n
		FROM series s JOIN packed_samples p ON p.series_id = s.id JOIN json_each(p.samples) v
		WHERE s.benchmark_id = b.id AND s.unit = 'B/op' AND p.run_id = r.id AND v.type <> 'null'
	) WHERE place IN ((n + 1) / 2, (n + 2) / 2)) AS bytes_per_op,
	(SELECT avg(value) FROM (
		SELECT CAST(v.value AS REAL) AS value, row_number() OVER (ORDER BY v.value) AS place, count(*) OVER () AS n
		FROM series s JOIN packed_samples p ON p.series_id = s.id JOIN json_each(p.samples) v
		WHERE s.benchmark_id = b.id AND s.unit = 'allocs/op' AND p.run_id = r.id AND v.type <> 'null'
	) WHERE place IN ((n + 1) / 2, (n + 2) / 2)) AS allocs_per_op
FROM rounds n
JOIN runs r ON r.id = n.run_id
JOIN environments e ON e.id = r.environment_id
LEFT JOIN trials t ON t.id = r.trial_id
JOIN benchmarks b ON b.id = n.benchmark_id;
