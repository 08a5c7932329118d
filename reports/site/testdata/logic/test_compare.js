"use strict";
const assert = require("node:assert/strict");
const { load, index: indexOf } = require("./load.js");
const p = load("format", "order", "compare/model", "compare/unpaired");
p.index = indexOf();
const c = p.comparison;

const line = (more) => Object.assign({ b: -1, name: "X", package: "p", target: "t", unit: "sec/op", better: -1, verdict: "", change: 0, lo: null, hi: null, threshold: 0.05, n: [9, 9], samples: [[], []], shown: {} }, more);

// A row is in one group, and only what changed is shown at first.
for (const [row, group] of [
  [{ verdict: "regressed" }, "regressed"], [{ verdict: "accepted", accepted: "why" }, "accepted"], [{ verdict: "inconclusive" }, "inconclusive"],
  [{ verdict: "inconclusive", settled: true }, "settled"], [{ verdict: "not checked" }, "not checked"], [{ verdict: "suspect" }, "suspect"],
  [{ derived: true, change: 0.5 }, "derived"], [{ change: 0.06 }, "moved"], [{ change: -0.06 }, "moved"], [{ change: 0.04 }, "alike"], [{ change: -0.04 }, "alike"],
  [{ change: null }, "alike"], [{ change: 2, absolute: true }, "moved"], [{ change: 0, absolute: true }, "alike"], [{ change: -1 }, "moved"],
]) assert.equal(c.groupOf({}, line(row)), group, JSON.stringify(row));
assert.deepEqual(c.groups.filter((g) => g.shown).map((g) => g.key), ["regressed", "changed", "suspect", "moved", "accepted", "improved"]);

// Twice and half are equally far, and what has no ratio is farthest.
assert.equal(c.size(line({ change: 1 })), -c.size(line({ change: -0.5 })));
assert.equal(c.size(line({ change: 2, absolute: true })), Infinity);
assert.equal(c.size(line({ change: -1 })), -Infinity);
assert.equal(c.size(line({ change: null })), null);

// The worst come first: regressions before improvements, however large these are, and the rest last.
const d = { threshold: 0.05, rows: [
  line({ name: "same", verdict: "unchanged", change: 0.01, lo: 0, hi: 0.02 }), line({ name: "faster", verdict: "improved", change: -0.9, lo: -0.95, hi: -0.8 }),
  line({ name: "slower", verdict: "regressed", change: 0.1, lo: 0.09, hi: 0.11 }), line({ name: "slow", verdict: "regressed", change: 3, lo: 1, hi: 6 }),
  line({ name: "open", verdict: "inconclusive", change: 0.2, lo: -0.3, hi: 0.8 }), line({ name: "first", verdict: "regressed", change: 1, absolute: true, exact: true }),
] };
const rows = c.rowsOf(d);
const sorted = (key) => rows.slice().sort(c.orders[key].by).map((r) => r.name).join(" ");
assert.equal(sorted("worst"), "first slow slower faster open same");
assert.equal(sorted("change"), "first faster slow open slower same");
assert.equal(sorted("certainty"), "first faster slower slow same open");
assert.equal(sorted("name"), "faster first open same slow slower");

// A row that names no threshold has that of the comparison; its change has the unit where it has no ratio.
assert.equal(c.rowsOf({ threshold: 0.03, rows: [line({ threshold: undefined })] })[0].row.threshold, 0.03);
assert.deepEqual(c.changeOf(line({ shown: { change: "+3.1 % [+1.2, +5.0]" } })), ["+3.1 %", "[+1.2, +5.0]"]);
assert.deepEqual(c.changeOf(line({ shown: { change: "+128 (exact)" }, unit: "B/op", absolute: true })), ["+128 B", "(exact)"]);
assert.deepEqual(c.changeOf(line({})), ["", ""]);

// A number of the terminal has the unit that stands there in the head of the table.
for (const [text, unit, want] of [
  ["1.718µ ± 1%", "sec/op", "1.718 µs ± 1%"], ["3.906Ki ± 0%", "B/op", "3.906 KiB ± 0%"], ["12.00 ± ∞", "allocs/op", "12.00 ± ∞"], ["5.000", "GFLOPS", "5.000 GFLOPS"], ["1.000e+20 ± 0%", "sec/op", "1.000e+20 s ± 0%"], ["", "sec/op", "—"],
]) assert.equal(c.shown(text, unit), want);
assert.equal(c.trialName("20261123T020000-aaaaaa, a check"), "trial 020000-aaaaaa, a check");

// Packages are told apart by what they do not share.
const short = c.shortener([{ package: "example.com/codec/json" }, { package: "example.com/codec/cache" }]);
assert.equal(short("example.com/codec/json"), "json");
assert.equal(c.shortener([{ package: "a" }])("a"), "");

assert.deepEqual([0.051, -0.5, 0, 1e9, 0.0004, null, Infinity].map(p.plainChange), ["+5.1 %", "-50.0 %", "0.0 %", ">+999999 %", "+0.04 %", "—", "—"]);

// Two commits are set against each other by runs of one environment that may stand for them.
const run = (id, more) => Object.assign({ id, target: "t", env: 0, commit: 0, start: 1, status: "complete", values: true, benchmarks: 2, place: 0 }, more);
const value = (b, center, more) => Object.assign({ b, unit: "sec/op", better: -1, center, lo: center * 0.99, hi: center * 1.01, n: 5 }, more);
Object.assign(p.index, { meta: { alpha: 0.01, threshold: 0.05 }, environments: [{ label: "here" }, { label: "there" }], benchmarks: [{ name: "A", target: "t" }, { name: "B", target: "t" }, { name: "C", target: "t" }] });
const documents = {
  "r/a": { values: [value(0, 1), value(1, 2), value(2, 0, { unit: "allocs/op" })] }, "r/b": { values: [value(0, 1.2), value(2, 3, { unit: "allocs/op", lo: null, hi: null })] },
};
p.load = async (name) => documents[name];
const side = (sha, runs) => ({ commit: 0, sha, label: "", runs });

(async () => {
  const d = await p.unpaired(side("a".repeat(40), [run("dirty", { dirty: true, benchmarks: 9 }), run("failed", { status: "failed" }), run("there", { env: 1, benchmarks: 9 }), run("a")]), side("b".repeat(40), [run("b"), run("old", { values: false })]));
  assert.equal(d.trial, false);
  assert.deepEqual(d.rows.map((r) => [r.b, r.change === null ? null : Number(r.change.toFixed(6)), r.absolute, r.verdict, r.shown.base, r.shown.head, r.shown.change]), [
    [0, 0.2, false, "", "1.000 ± 1%", "1.200 ± 1%", "+20.0 %"], [2, 3, true, "", "0.000 ± 0%", "3.000 ± ∞", "+3"],
  ]);
  assert.deepEqual(d.notJudged, [{ kind: "missing", why: "missing in head", what: ["t B sec/op"] }]);
  assert.equal(d.command, "perftrack run --against aaaaaaaaaaaa --rev bbbbbbbbbbbb");
  assert.match(d.summary, /^2 unpaired benchmarks, no verdict: 2 differ by the threshold or more, most A sec\/op \+20.0 %$/);
  // Different environments are never compared, and runs without values say so.
  const unpaired = await p.unpaired(side("a".repeat(40), [run("a")]), side("b".repeat(40), [run("b", { env: 1 })]));
  assert.equal(unpaired.rows.length, 0);
  assert.deepEqual(unpaired.notJudged, [{ kind: "environment", why: "not comparable: measured in different environments", what: ["t: here and there"] }]);
  const old = await p.unpaired(side("a".repeat(40), [run("a", { values: false })]), side("b".repeat(40), [run("b")]));
  assert.equal(old.caveats.length, 1);
  assert.match(old.caveats[0], /^no run of aaaaaaaaaaaa has values here/);
})().catch((problem) => {
  console.error(problem);
  process.exit(1);
});
