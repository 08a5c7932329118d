-- Rounds that say the mean of all slices of their side, also of those that the value leaves out.

-- +goose Up
PRAGMA user_version = 6;

-- Both null where no round of the benchmark has a mean.
ALTER TABLE rounds ADD COLUMN slice_means TEXT CHECK ((slice_means IS NULL OR slices IS NOT NULL)
	AND json_array_length(slice_means) = json_array_length(rounds)); -- of the side's slices, in ns/op, 0 unknown
ALTER TABLE rounds ADD COLUMN slow_slices TEXT CHECK ((slow_slices IS NULL) = (slice_means IS NULL)
	AND json_array_length(slow_slices) = json_array_length(rounds)); -- parts of the slices that take far longer than the others, 0 to 1

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
	CAST(coalesce(json_extract(n.slice_spreads, '$[' || v.key || ']'), 0) AS REAL) AS slice_spread,
	CAST(coalesce(json_extract(n.slice_means, '$[' || v.key || ']'), 0) AS REAL) AS slice_mean,
	CAST(coalesce(json_extract(n.slow_slices, '$[' || v.key || ']'), 0) AS REAL) AS slow_slices
FROM packed_samples p
JOIN series s ON s.id = p.series_id
JOIN benchmarks b ON b.id = s.benchmark_id
JOIN runs r ON r.id = p.run_id
JOIN rounds n ON n.benchmark_id = b.id AND n.run_id = r.id
JOIN json_each(p.samples) v
WHERE v.type <> 'null';
