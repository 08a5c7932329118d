"use strict";
const assert = require("node:assert/strict");
const p = require("./load.js").load("format", "again", "benchmark/find", "trends/next");
const t = p.trends;

const commits = [{ sha: "a".repeat(40), time: 1795000000 }, { sha: "b".repeat(40), time: 1795000000 }, { sha: "c".repeat(40), time: 1795000000, off: true }];
const line = (more) => Object.assign({ env: 0, unit: "sec/op", better: -1, state: "steady", change: null, changeAt: -1, noise: 0.01, runs: 40, last: 1 }, more);
const row = (name, ...lines) => ({ path: "x/" + name, target: "x", package: "p", name, lines });
const index = {
  meta: { threshold: 0.05, depth: 40 }, now: { lost: [3], stale: [3, 2] },
  benchmarks: [row("Fine", line()), row("Noisy", line({ noise: 0.2 })), row("Stale", line()), row("Lost", line()), row("Few/n=1.5", line({ state: "too-few", runs: 2, noise: 0.5 }))],
};

// Each benchmark has one reason, and what is not known at all comes first.
const next = t.next(index, commits, p.format);
assert.deepEqual(next.map((e) => [e.kind, e.row.name]), [["lost", "Lost"], ["stale", "Stale"], ["few", "Few/n=1.5"], ["noisy", "Noisy"]]);
assert.deepEqual(next.map((e) => e.command), [
  "perftrack run --bench '^BenchmarkLost$' x", "perftrack run --bench '^BenchmarkStale$' x",
  "perftrack backfill aaaaaaaaaaaa..bbbbbbbbbbbb --steps 20 --bench '^BenchmarkFew$/^n=1\\.5$' x", "perftrack calibrate --bench '^BenchmarkNoisy$' x",
]);
assert.deepEqual(next.map((e) => e.why), ["last at bbbbbbb from 2026-11-18", "last at bbbbbbb from 2026-11-18", "2 runs of sec/op", "sec/op differs by 20 % from run to run, but the threshold is 5.0 %"]);
assert.deepEqual(t.next({ ...index, benchmarks: [row("Fine", line())], now: { lost: [], stale: [] } }, commits, p.format), []);
// Of one commit alone there is nothing between: the ones before it are measured.
const few = (depth, on) => t.next({ ...index, meta: { ...index.meta, depth } }, on, p.format)[2].command.split(" --bench")[0];
assert.equal(few(40, commits.slice(1)), "perftrack backfill HEAD~20..HEAD --steps 20");
// No command asks for commits that there are not, or that all have been measured.
assert.deepEqual([few(4, commits.slice(1)), few(2, commits.slice(1)), few(1, commits.slice(1)), few(undefined, commits.slice(1)), few(2, commits), few(3, commits)],
  ["perftrack backfill HEAD~3..HEAD --steps 20", "perftrack backfill HEAD~1..HEAD --steps 20", "perftrack run", "perftrack run", "perftrack run",
    "perftrack backfill aaaaaaaaaaaa..bbbbbbbbbbbb --steps 20"]);
assert.match(p.again({ depth: 1 }, 20).does, /^There is only one commit: /);
assert.equal(p.again({ depth: 22 }, 20).command, "perftrack backfill HEAD~20..HEAD");
assert.equal(p.again({ depth: 21 }, 20).command, "perftrack backfill HEAD~20..HEAD");
assert.equal(p.again({ depth: 20 }, 20).command, "perftrack backfill HEAD~19..HEAD");
// Noise of exactly the threshold is none, and noise that nobody knows says nothing.
assert.equal(t.next({ ...index, now: { lost: [], stale: [] }, benchmarks: [row("A", line({ noise: 0.05 })), row("B", line({ noise: null }))] }, commits, p.format).length, 0);

// Since a commit: the last steps that came in with it or later, the worst first; of a rate less is worse.
const changed = { benchmarks: [
  row("Old", line({ change: 3, changeAt: 0 })), row("Better", line({ change: -0.3, changeAt: 1 })), row("Worse", line({ change: 0.2, changeAt: 1 })),
  row("Rate", line({ unit: "GFLOPS", better: 1, change: -0.5, changeAt: 1 })), row("Never", line()),
] };
assert.deepEqual(t.since(changed, 1).map((e) => e.row.name), ["Rate", "Worse", "Better"]);
assert.deepEqual(t.since(changed, 0).map((e) => e.row.name), ["Old", "Rate", "Worse", "Better"]);
// What got worse from 0 has no ratio: it stands first and is not left out.
changed.benchmarks.push(row("From0", line({ change: null, changeAt: 1, state: "regressed" })));
assert.deepEqual(t.since(changed, 1).map((e) => e.row.name), ["From0", "Rate", "Worse", "Better"]);

// Of much to measure in a target one command measures all; a scope is measured with its target.
const many = Array.from({ length: 6 }, (_, i) => row("N" + i, line({ noise: 0.2 })));
const all = t.next({ ...index, now: { lost: [], stale: [] }, benchmarks: [...many, { ...row("Deep/Scope", line({ noise: 0.2 })), target: "y", scope: true }] }, commits, p.format);
assert.deepEqual(t.grouped(all, commits, index.meta).map((g) => [g.list.length, g.command]), [[6, "perftrack calibrate x"], [1, "perftrack calibrate y"]]);
assert.equal(t.grouped(all.slice(0, 5), commits, index.meta).length, 5);

// Kernels are the benchmarks of that name and package, and no scopes; their speed is drawn over the last 40 runs.
const doc = { suites: [{ package: "p", kernels: [{ name: "N1", gflops: 3 }, { name: "N2", gflops: null }, { name: "S", gflops: 1 }] }, { package: "q", kernels: [{ name: "N3", gflops: 3 }] }] };
assert.deepEqual(t.kernelRows({ benchmarks: [...many, { ...row("S"), scope: true }] }, doc), [many[1]]);
const outline = t.outline({ unit: "GFLOPS", value: [null, 1, 3, 2] });
assert.deepEqual([outline.spark, outline.level, outline.since, outline.runs], ["0Zv", 2, 1, 4]);
assert.equal(t.outline({ unit: "GFLOPS", value: [5, 5] }).spark, "uu");
assert.ok(t.flops.test("GFLOPS") && t.flops.test("FLOP/s") && !t.flops.test("B/s"));
