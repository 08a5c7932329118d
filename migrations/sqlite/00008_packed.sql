-- Results in packed columns, each row with a digest.
--
-- The results of a benchmark in a run are one row of the table results. What is the same in all of
-- its rounds is stored once. A column of rounds is NULL if it has its usual value, 8 bytes if its
-- value is the same in all rounds, and otherwise 8 bytes for each round: a little-endian integer or
-- float64. samples has an entry for each unit: the index of the unit in benchmarks.units (4 bytes),
-- 1 if one value holds for all rounds and else 0 (4 bytes), and the values (8 bytes each), where
-- NaN stands for a round without this unit. The views below unpack all of it.
--
-- A digest is the first 8 bytes of the SHA-256 of the fields of a row and of the names it refers
-- to. It is checked whenever the row is read.
--
-- perftrack fills the table from the tables of schema 7 after this file, and then drops them.

-- +goose Up
PRAGMA user_version = 8;

DROP VIEW samples;
DROP VIEW methods;

CREATE TABLE repositories (
	id   INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE -- '' in a file, which belongs to one repository
) STRICT;
INSERT INTO repositories VALUES (1, '');

ALTER TABLE runs ADD COLUMN repository_id INTEGER NOT NULL DEFAULT 1;
ALTER TABLE runs ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
ALTER TABLE acceptances ADD COLUMN repository_id INTEGER NOT NULL DEFAULT 1;
ALTER TABLE deletions ADD COLUMN repository_id INTEGER NOT NULL DEFAULT 1;

ALTER TABLE benchmarks ADD COLUMN repository_id INTEGER NOT NULL DEFAULT 1;
ALTER TABLE benchmarks ADD COLUMN runs INTEGER NOT NULL DEFAULT 0 CHECK (runs >= 0);         -- how many have it
ALTER TABLE benchmarks ADD COLUMN last_run INTEGER NOT NULL DEFAULT 0 CHECK (last_run >= 0); -- the newest of them, 0 for none
ALTER TABLE benchmarks ADD COLUMN units TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(units)); -- array: all units that any run ever had, as the producer printed them
ALTER TABLE benchmarks ADD COLUMN unit_runs TEXT NOT NULL DEFAULT '[]' CHECK (json_array_length(unit_runs) = json_array_length(units)); -- array: how many runs have each
ALTER TABLE benchmarks ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;

CREATE TABLE results (
	repository_id INTEGER NOT NULL DEFAULT 1,
	benchmark_id  INTEGER NOT NULL REFERENCES benchmarks (id),
	run_id        INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
	rounds        INTEGER NOT NULL CHECK (rounds > 0), -- how many
	numbers       BLOB CHECK (length(numbers) IN (8, 8 * rounds)),       -- within the trial, usually 1, 2, 3 ...
	orders        BLOB CHECK (length(orders) IN (8, 8 * rounds)),        -- places within the round, usually 0
	iterations    BLOB CHECK (length(iterations) IN (8, 8 * rounds)),    -- usually 0
	seeds         BLOB CHECK (length(seeds) IN (8, 8 * rounds)),         -- of the layout, unsigned, usually 0
	slices        BLOB CHECK (length(slices) IN (8, 8 * rounds)),        -- pairs that the values are made of, usually 0
	slice_spreads BLOB CHECK (length(slice_spreads) IN (8, 8 * rounds)), -- floats: standard deviations of the pairs' log ratios, usually 0
	slice_means   BLOB CHECK (length(slice_means) IN (8, 8 * rounds)),   -- floats: of the side's slices, in ns/op, usually 0
	slow_slices   BLOB CHECK (length(slow_slices) IN (8, 8 * rounds)),   -- floats: parts of the slices that take far longer than most, usually 0
	samples       BLOB NOT NULL CHECK (length(samples) % 8 = 0),
	digest        INTEGER NOT NULL,
	PRIMARY KEY (repository_id, benchmark_id, run_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX results_run ON results (run_id);

-- What perftrack derived from all runs, so that commands need not read all results. Each answer
-- says what it was derived from, and is computed anew if that has changed.
CREATE TABLE answers (
	repository_id INTEGER NOT NULL DEFAULT 1,
	name          TEXT NOT NULL CHECK (name <> ''),
	content       BLOB NOT NULL,
	digest        INTEGER NOT NULL,
	PRIMARY KEY (repository_id, name)
) STRICT, WITHOUT ROWID;

-- The bytes of a packed number.
CREATE VIEW octets (k) AS VALUES (0), (1), (2), (3), (4), (5), (6), (7);

-- One row a sample. For each row of results, a JSON array lists the unit, the round and the hex
-- digits of each value. A float64 is its fraction, halved or doubled as often as its exponent says.
CREATE VIEW samples AS
SELECT
	r.uid AS run, r.commit_sha, r.target, b.package, b.suite, b.kind, b.name AS benchmark,
	json_extract(b.units, '$[' || json_extract(v.value, '$[0]') || ']') AS unit,
	CASE WHEN n.numbers IS NULL THEN json_extract(v.value, '$[1]') + 1 ELSE (SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.numbers, 1 + CASE length(n.numbers) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.numbers, 1 + CASE length(n.numbers) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets) END AS round,
	coalesce((SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.orders, 1 + CASE length(n.orders) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.orders, 1 + CASE length(n.orders) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets), 0) AS round_order,
	coalesce((SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.iterations, 1 + CASE length(n.iterations) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.iterations, 1 + CASE length(n.iterations) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets), 0) AS iterations,
	printf('%llu', coalesce((SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.seeds, 1 + CASE length(n.seeds) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.seeds, 1 + CASE length(n.seeds) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets), 0)) AS seed,
	(
		WITH RECURSIVE bits (b) AS (SELECT (SELECT sum((instr('0123456789ABCDEF', substr(json_extract(v.value, '$[2]'), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(json_extract(v.value, '$[2]'), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets)),
		scaled (left, up, v) AS (
			SELECT abs(max(b >> 52 & 2047, 1) - 1075), (b >> 52 & 2047) > 1075, ((b & 4503599627370495) + CASE b >> 52 & 2047 WHEN 0 THEN 0 ELSE 4503599627370496 END) * 1.0 FROM bits
			UNION ALL
			SELECT left - min(left, 16), up, CASE WHEN up THEN v * (1 << min(left, 16)) ELSE v / (1 << min(left, 16)) END FROM scaled WHERE left > 0
		) SELECT v FROM scaled WHERE left = 0) AS value,
	coalesce((SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.slices, 1 + CASE length(n.slices) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.slices, 1 + CASE length(n.slices) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets), 0) AS slices,
	coalesce((
		WITH RECURSIVE bits (b) AS (SELECT (SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.slice_spreads, 1 + CASE length(n.slice_spreads) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.slice_spreads, 1 + CASE length(n.slice_spreads) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets)),
		scaled (left, up, v) AS (
			SELECT abs(max(b >> 52 & 2047, 1) - 1075), (b >> 52 & 2047) > 1075, ((b & 4503599627370495) + CASE b >> 52 & 2047 WHEN 0 THEN 0 ELSE 4503599627370496 END) * 1.0 FROM bits
			UNION ALL
			SELECT left - min(left, 16), up, CASE WHEN up THEN v * (1 << min(left, 16)) ELSE v / (1 << min(left, 16)) END FROM scaled WHERE left > 0
		) SELECT v FROM scaled WHERE left = 0), 0.0) AS slice_spread,
	coalesce((
		WITH RECURSIVE bits (b) AS (SELECT (SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.slice_means, 1 + CASE length(n.slice_means) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.slice_means, 1 + CASE length(n.slice_means) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets)),
		scaled (left, up, v) AS (
			SELECT abs(max(b >> 52 & 2047, 1) - 1075), (b >> 52 & 2047) > 1075, ((b & 4503599627370495) + CASE b >> 52 & 2047 WHEN 0 THEN 0 ELSE 4503599627370496 END) * 1.0 FROM bits
			UNION ALL
			SELECT left - min(left, 16), up, CASE WHEN up THEN v * (1 << min(left, 16)) ELSE v / (1 << min(left, 16)) END FROM scaled WHERE left > 0
		) SELECT v FROM scaled WHERE left = 0), 0.0) AS slice_mean,
	coalesce((
		WITH RECURSIVE bits (b) AS (SELECT (SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.slow_slices, 1 + CASE length(n.slow_slices) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.slow_slices, 1 + CASE length(n.slow_slices) WHEN 8 THEN 0 ELSE 8 * json_extract(v.value, '$[1]') END, 8)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets)),
		scaled (left, up, v) AS (
			SELECT abs(max(b >> 52 & 2047, 1) - 1075), (b >> 52 & 2047) > 1075, ((b & 4503599627370495) + CASE b >> 52 & 2047 WHEN 0 THEN 0 ELSE 4503599627370496 END) * 1.0 FROM bits
			UNION ALL
			SELECT left - min(left, 16), up, CASE WHEN up THEN v * (1 << min(left, 16)) ELSE v / (1 << min(left, 16)) END FROM scaled WHERE left > 0
		) SELECT v FROM scaled WHERE left = 0), 0.0) AS slow_slices
FROM results n
JOIN benchmarks b ON b.repository_id = n.repository_id AND b.id = n.benchmark_id
JOIN runs r ON r.id = n.run_id
JOIN json_each((
	WITH RECURSIVE entry (at) AS (
		VALUES (1)
		UNION ALL
		SELECT at + 8 + 8 * CASE hex(substr(n.samples, at + 4, 1)) WHEN '01' THEN 1 ELSE n.rounds END FROM entry WHERE at < length(n.samples)
	), nth (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM nth WHERE i + 1 < n.rounds)
	SELECT json_group_array(json_array(
		(SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.samples, at, 2)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.samples, at, 2)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets WHERE k < 2),
		i, hex(substr(n.samples, at + 8 + CASE hex(substr(n.samples, at + 4, 1)) WHEN '01' THEN 0 ELSE 8 * i END, 8))))
	FROM entry, nth WHERE at < length(n.samples))) v
WHERE NOT (json_extract(v.value, '$[2]') GLOB '*F?7F');

-- One row a run and benchmark, with the medians of the usual units. Each is computed only where it
-- is asked for, so a query for one run reads one run.
CREATE VIEW methods AS
SELECT
	r.uid AS run, r.target, r.commit_sha, r.branch, r.dirty,
	strftime('%Y-%m-%dT%H:%M:%SZ', r.started / 1000000, 'unixepoch') AS started,
	r.status, t.name AS trial, r.side, e.key AS environment,
	b.kind, b.suite, b.package, b.name AS benchmark, n.rounds,
	(SELECT avg(value) FROM (
		SELECT value, row_number() OVER (ORDER BY value) AS place, count(*) OVER () AS n FROM (
			SELECT (
				WITH RECURSIVE bits (b) AS (SELECT (SELECT sum((instr('0123456789ABCDEF', substr(json_extract(v.value, '$[2]'), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(json_extract(v.value, '$[2]'), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets)),
				scaled (left, up, v) AS (
					SELECT abs(max(b >> 52 & 2047, 1) - 1075), (b >> 52 & 2047) > 1075, ((b & 4503599627370495) + CASE b >> 52 & 2047 WHEN 0 THEN 0 ELSE 4503599627370496 END) * 1.0 FROM bits
					UNION ALL
					SELECT left - min(left, 16), up, CASE WHEN up THEN v * (1 << min(left, 16)) ELSE v / (1 << min(left, 16)) END FROM scaled WHERE left > 0
				) SELECT v FROM scaled WHERE left = 0) AS value
			FROM json_each((
				WITH RECURSIVE entry (at) AS (
					VALUES (1)
					UNION ALL
					SELECT at + 8 + 8 * CASE hex(substr(n.samples, at + 4, 1)) WHEN '01' THEN 1 ELSE n.rounds END FROM entry WHERE at < length(n.samples)
				), nth (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM nth WHERE i + 1 < n.rounds)
				SELECT json_group_array(json_array(
					(SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.samples, at, 2)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.samples, at, 2)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets WHERE k < 2),
					i, hex(substr(n.samples, at + 8 + CASE hex(substr(n.samples, at + 4, 1)) WHEN '01' THEN 0 ELSE 8 * i END, 8))))
				FROM entry, nth WHERE at < length(n.samples))) v
			WHERE json_extract(b.units, '$[' || json_extract(v.value, '$[0]') || ']') = 'ns/op' AND NOT (json_extract(v.value, '$[2]') GLOB '*F?7F')
		)
	) WHERE place IN ((n + 1) / 2, (n + 2) / 2)) AS ns_per_op,
	(SELECT avg(value) FROM (
		SELECT value, row_number() OVER (ORDER BY value) AS place, count(*) OVER () AS n FROM (
			SELECT (
				WITH RECURSIVE bits (b) AS (SELECT (SELECT sum((instr('0123456789ABCDEF', substr(json_extract(v.value, '$[2]'), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(json_extract(v.value, '$[2]'), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets)),
				scaled (left, up, v) AS (
					SELECT abs(max(b >> 52 & 2047, 1) - 1075), (b >> 52 & 2047) > 1075, ((b & 4503599627370495) + CASE b >> 52 & 2047 WHEN 0 THEN 0 ELSE 4503599627370496 END) * 1.0 FROM bits
					UNION ALL
					SELECT left - min(left, 16), up, CASE WHEN up THEN v * (1 << min(left, 16)) ELSE v / (1 << min(left, 16)) END FROM scaled WHERE left > 0
				) SELECT v FROM scaled WHERE left = 0) AS value
			FROM json_each((
				WITH RECURSIVE entry (at) AS (
					VALUES (1)
					UNION ALL
					SELECT at + 8 + 8 * CASE hex(substr(n.samples, at + 4, 1)) WHEN '01' THEN 1 ELSE n.rounds END FROM entry WHERE at < length(n.samples)
				), nth (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM nth WHERE i + 1 < n.rounds)
				SELECT json_group_array(json_array(
					(SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.samples, at, 2)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.samples, at, 2)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets WHERE k < 2),
					i, hex(substr(n.samples, at + 8 + CASE hex(substr(n.samples, at + 4, 1)) WHEN '01' THEN 0 ELSE 8 * i END, 8))))
				FROM entry, nth WHERE at < length(n.samples))) v
			WHERE json_extract(b.units, '$[' || json_extract(v.value, '$[0]') || ']') = 'GFLOPS' AND NOT (json_extract(v.value, '$[2]') GLOB '*F?7F')
		)
	) WHERE place IN ((n + 1) / 2, (n + 2) / 2)) AS gflops,
	(SELECT avg(value) FROM (
		SELECT value, row_number() OVER (ORDER BY value) AS place, count(*) OVER () AS n FROM (
			SELECT (
				WITH RECURSIVE bits (b) AS (SELECT (SELECT sum((instr('0123456789ABCDEF', substr(json_extract(v.value, '$[2]'), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(json_extract(v.value, '$[2]'), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets)),
				scaled (left, up, v) AS (
					SELECT abs(max(b >> 52 & 2047, 1) - 1075), (b >> 52 & 2047) > 1075, ((b & 4503599627370495) + CASE b >> 52 & 2047 WHEN 0 THEN 0 ELSE 4503599627370496 END) * 1.0 FROM bits
					UNION ALL
					SELECT left - min(left, 16), up, CASE WHEN up THEN v * (1 << min(left, 16)) ELSE v / (1 << min(left, 16)) END FROM scaled WHERE left > 0
				) SELECT v FROM scaled WHERE left = 0) AS value
			FROM json_each((
				WITH RECURSIVE entry (at) AS (
					VALUES (1)
					UNION ALL
					SELECT at + 8 + 8 * CASE hex(substr(n.samples, at + 4, 1)) WHEN '01' THEN 1 ELSE n.rounds END FROM entry WHERE at < length(n.samples)
				), nth (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM nth WHERE i + 1 < n.rounds)
				SELECT json_group_array(json_array(
					(SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.samples, at, 2)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.samples, at, 2)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets WHERE k < 2),
					i, hex(substr(n.samples, at + 8 + CASE hex(substr(n.samples, at + 4, 1)) WHEN '01' THEN 0 ELSE 8 * i END, 8))))
				FROM entry, nth WHERE at < length(n.samples))) v
			WHERE json_extract(b.units, '$[' || json_extract(v.value, '$[0]') || ']') = 'B/op' AND NOT (json_extract(v.value, '$[2]') GLOB '*F?7F')
		)
	) WHERE place IN ((n + 1) / 2, (n + 2) / 2)) AS bytes_per_op,
	(SELECT avg(value) FROM (
		SELECT value, row_number() OVER (ORDER BY value) AS place, count(*) OVER () AS n FROM (
			SELECT (
				WITH RECURSIVE bits (b) AS (SELECT (SELECT sum((instr('0123456789ABCDEF', substr(json_extract(v.value, '$[2]'), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(json_extract(v.value, '$[2]'), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets)),
				scaled (left, up, v) AS (
					SELECT abs(max(b >> 52 & 2047, 1) - 1075), (b >> 52 & 2047) > 1075, ((b & 4503599627370495) + CASE b >> 52 & 2047 WHEN 0 THEN 0 ELSE 4503599627370496 END) * 1.0 FROM bits
					UNION ALL
					SELECT left - min(left, 16), up, CASE WHEN up THEN v * (1 << min(left, 16)) ELSE v / (1 << min(left, 16)) END FROM scaled WHERE left > 0
				) SELECT v FROM scaled WHERE left = 0) AS value
			FROM json_each((
				WITH RECURSIVE entry (at) AS (
					VALUES (1)
					UNION ALL
					SELECT at + 8 + 8 * CASE hex(substr(n.samples, at + 4, 1)) WHEN '01' THEN 1 ELSE n.rounds END FROM entry WHERE at < length(n.samples)
				), nth (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM nth WHERE i + 1 < n.rounds)
				SELECT json_group_array(json_array(
					(SELECT sum((instr('0123456789ABCDEF', substr(hex(substr(n.samples, at, 2)), 2 * k + 1, 1)) * 16 + instr('0123456789ABCDEF', substr(hex(substr(n.samples, at, 2)), 2 * k + 2, 1)) - 17) << 8 * k) FROM octets WHERE k < 2),
					i, hex(substr(n.samples, at + 8 + CASE hex(substr(n.samples, at + 4, 1)) WHEN '01' THEN 0 ELSE 8 * i END, 8))))
				FROM entry, nth WHERE at < length(n.samples))) v
			WHERE json_extract(b.units, '$[' || json_extract(v.value, '$[0]') || ']') = 'allocs/op' AND NOT (json_extract(v.value, '$[2]') GLOB '*F?7F')
		)
	) WHERE place IN ((n + 1) / 2, (n + 2) / 2)) AS allocs_per_op
FROM results n
JOIN runs r ON r.id = n.run_id
JOIN environments e ON e.id = r.environment_id
LEFT JOIN trials t ON t.id = r.trial_id
JOIN benchmarks b ON b.repository_id = n.repository_id AND b.id = n.benchmark_id;
