-- Rounds whose values were made of slices of two processes that took turns.

-- +goose Up
PRAGMA user_version = 4;

-- Both null where no round of the benchmark was sliced.
ALTER TABLE rounds ADD COLUMN slices TEXT CHECK (json_array_length(slices) = json_array_length(rounds)); -- pairs that the values were made of, 0 without
ALTER TABLE rounds ADD COLUMN slice_spreads TEXT CHECK ((slice_spreads IS NULL) = (slices IS NULL)
	AND json_array_length(slice_spreads) = json_array_length(rounds)); -- standard deviations of the pairs' log ratios, 0 unknown

DROP VIEW samples;

-- One row a sample.
CREATE VIEW samples AS
SELECT
	r.uid AS run, r.commit_sha, r.target, b.package, b.suite, b.kind, b.name AS benchmark, s.unit,
	json_extract(n.rounds, '$[' || v.key || ']') AS round,
	json_extract(n.orders, '$[' || v.key || ']') AS round_order,
	json_extract(n.iterations, '$[' || v.key || ']') AS iterations,
	json_extract(n.seeds, '$[' || v.key || ']') AS seed,
	CAST(v.value AS REAL) AS value,
	coalesce(json_extract(n.slices, '$[' || v.key || ']'), 0) AS slices,
	CAST(coalesce(json_extract(n.slice_spreads, '$[' || v.key || ']'), 0) AS REAL) AS slice_spread
FROM packed_samples p
JOIN series s ON s.id = p.series_id
JOIN benchmarks b ON b.id = s.benchmark_id
JOIN runs r ON r.id = p.run_id
JOIN rounds n ON n.benchmark_id = b.id AND n.run_id = r.id
JOIN json_each(p.samples) v
WHERE v.type <> 'null';
