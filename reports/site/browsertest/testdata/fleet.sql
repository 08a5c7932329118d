-- The tables of a fleet as perftrack-fleet creates them, with a table of jobs in place of its queue.
-- Times are before now. Names are hostile or long.
CREATE TABLE fleet_workers (id TEXT PRIMARY KEY, class TEXT, procedure TEXT, version TEXT, host TEXT, cpu TEXT, cpus INT, decides BOOLEAN, started_us BIGINT, seen_us BIGINT, job BIGINT);
CREATE TABLE fleet_trials (id TEXT PRIMARY KEY, repository TEXT, url TEXT, dir TEXT, base_sha TEXT, head_sha TEXT, class TEXT, procedure TEXT, priority INT, pull_request TEXT, optional BOOLEAN, state TEXT, flags TEXT, created_us BIGINT, ended_us BIGINT);
CREATE TABLE fleet_jobs (job BIGINT PRIMARY KEY, kind TEXT, class TEXT, procedure TEXT, priority INT, state TEXT, repository TEXT, trial TEXT, target TEXT, shard TEXT, first_round INT, last_round INT, attempt INT, worker TEXT, created_us BIGINT, started_us BIGINT, ended_us BIGINT);
CREATE VIEW fleet_queue AS SELECT * FROM fleet_jobs;

CREATE TEMP TABLE clock AS SELECT CAST(strftime('%s', 'now') AS INTEGER) AS now;
INSERT INTO fleet_workers
SELECT id, class, 'pairs/3', 'v0.9.0', host, cpu, cpus, decides, (now - 9000) * 1000000, (now - unseen) * 1000000, job FROM clock, (
	SELECT 'bench-1' AS id, 'linux-epyc' AS class, 'bench-1.example.org' AS host, 'AMD EPYC 9354P 32-Core Processor' AS cpu, 64 AS cpus, 0 AS decides, -600 AS unseen, 1201 AS job
	UNION ALL SELECT 'bench-2', 'linux-epyc', 'bench-2.example.org', 'AMD EPYC 9354P 32-Core Processor', 64, 1, -600, 1202
	UNION ALL SELECT 'bench-3', 'linux-epyc', '<img/src=x/onerror=perftrackCanary=1>', '</script><script>perftrackCanary=1</script>', 1, 0, 400, 1203
	UNION ALL SELECT 'mini', 'mac-m4', 'mini.example.org', 'Apple M4', 10, 0, 5000, NULL
	UNION ALL SELECT char(8238) || 'gnp.exe', 'Verylongname' || hex(zeroblob(60)), '', '', 4, 0, -600, NULL
);
INSERT INTO fleet_trials
SELECT id, 'github.com/owner/sorty', '', '', '0123456789abcdef0123456789abcdef01234567', 'fedcba9876543210fedcba9876543210fedcba98', class, 'pairs/3', 2, pull, 0, 'open', '[]', (now - 2000) * 1000000, NULL FROM clock, (
	SELECT '20260930-114000-4f2a91' AS id, 'linux-epyc' AS class, '1234' AS pull
	UNION ALL SELECT '"onmouseover="perftrackCanary=1', 'mac-m4', '<b>7'
);
INSERT INTO fleet_jobs
WITH RECURSIVE n(n) AS (SELECT 1180 UNION ALL SELECT n + 1 FROM n WHERE n < 1225)
SELECT n, CASE WHEN n % 11 = 5 THEN 'check' ELSE 'rounds' END, CASE WHEN n % 6 = 5 THEN 'mac-m4' ELSE 'linux-epyc' END, CASE WHEN n % 11 = 5 THEN NULL ELSE 'pairs/3' END, 1 + n % 4,
	CASE WHEN n > 1203 THEN 'waiting' WHEN n > 1200 THEN 'running' WHEN n % 9 = 0 THEN 'failed' WHEN n % 7 = 0 THEN 'cancelled' ELSE 'completed' END,
	'github.com/owner/sorty', CASE WHEN n % 11 = 5 THEN '' WHEN n % 6 = 5 THEN '"onmouseover="perftrackCanary=1' ELSE '20260930-114000-4f2a91' END,
	CASE WHEN n % 11 = 5 THEN NULL WHEN n % 10 = 0 THEN '${perftrackCanary=1}' ELSE 'engine' END, CASE n % 2 WHEN 0 THEN '1/1' ELSE '2/3' END, 4 * (n - 1179) + 1, 4 * (n - 1179) + 4,
	CASE WHEN n > 1203 THEN 0 ELSE 1 + (n % 9 = 0) * 2 END, CASE WHEN n > 1203 THEN NULL ELSE 'bench-' || (1 + (n + 2) % 3) END,
	(now - 1000 - 20 * (1225 - n)) * 1000000, CASE WHEN n <= 1203 THEN (now - 40 * (1210 - n)) * 1000000 END, CASE WHEN n <= 1200 THEN (now - 38 * (1209 - n)) * 1000000 END FROM clock, n;
