"use strict";
const assert = require("node:assert/strict");
const m = require("./load.js").load("chart/maths").chartMaths;

const commits = [10, 20, 30, 25, 50].map((time, i) => ({ sha: "c" + i, time, tags: i % 2 ? ["v" + i] : undefined }));
const line = (value, more) => Object.assign({ commit: value.map((_, i) => i), value, lo: value.map((v) => v - 1), hi: value.map((v) => v + 1), levels: [], steps: [], outliers: [] }, more);

// By commit each commit is as wide as any other, by date a place is a time, by release only tags have one.
let l = line([100, 110, 120, 130, 150]);
assert.deepEqual([...m.view(l, m.axis("commit", [l], commits), "absolute").x], [0, 1, 2, 3, 4]);
const dated = m.view(l, m.axis("date", [l], commits), "absolute");
assert.deepEqual([...dated.x], [10, 20, 25, 30, 50]);
assert.deepEqual([...dated.at], [0, 1, 3, 2, 4], "clocks do not run as the history does");
assert.deepEqual([...m.view(l, m.axis("release", [l], commits), "absolute").at], [1, 3]);
assert.equal(m.view(l, m.axis("release", [l], commits.map((c) => ({ ...c, tags: [] }))), "absolute").x.length, 0);

// Several runs of a commit stand beside each other; a commit nobody knows has no place.
l = Object.assign(line([1, 2, 3, 4]), { commit: [0, 1, 1, -1] });
assert.deepEqual([...m.view(l, m.axis("commit", [l], commits), "absolute").x], [0, 1, 1.4]);

// Percent are from the first run that is no outlier and does not stand aside, and so is the interval.
l = line([500, 7, 100, 110, 90], { outliers: [{ point: 0 }], aside: [1] });
let v = m.view(l, m.axis("commit", [l], commits), "percent");
assert.equal(v.scaled.first, 2);
assert.deepEqual([...v.y].slice(2).map((x) => Math.round(x * 1e9) / 1e9), [0, 10, -10]);
assert.ok(Math.abs(v.lo[3] - 9) < 1e-9 && Math.abs(v.hi[3] - 11) < 1e-9);
assert.deepEqual(v.stretches.map((s) => [...s]), [[2, 3, 4]], "neither outliers nor what stands aside is joined");
assert.equal(m.view(line([0, 1]), m.axis("commit", [line([0, 1])], commits), "percent").x.length, 0, "no percentage of nothing");

// A ratio is there only where it was measured, and has no interval.
l = line([1, 2, 3], { ratio: [1.1, null, 1.3] });
v = m.view(l, m.axis("commit", [l], commits), "ratio");
assert.deepEqual([[...v.at], [...v.y]], [[0, 2], [1.1, 1.3]]);
assert.ok(v.lo.every(Number.isNaN));
assert.equal(m.view(line([1, 2]), m.axis("commit", [line([1, 2])], commits), "ratio").x.length, 0);

// A logarithmic scale has no place for zero.
l = line([0, 5, 50]);
assert.deepEqual([...m.view(l, m.axis("commit", [l], commits), "log").y], [5, 50]);

// The range of values does not follow an outlier or an interval without end far away.
l = line([100, 101, 5000, 99, 100], { outliers: [{ point: 2 }], lo: [99, 100, NaN, -1e9, 99], hi: [101, 102, NaN, 1e9, 101] });
v = m.view(l, m.axis("commit", [l], commits), "absolute");
let [lo, hi] = m.span([v], 0, 4);
assert.ok(lo > 95 && lo < 99 && hi > 101 && hi < 106, lo + " to " + hi);
assert.equal(m.span([v], 10, 20), null);
l = line([7, 7, 7]); // of nothing but one value
[lo, hi] = m.span([m.view(l, m.axis("commit", [l], commits), "absolute")], 0, 4);
assert.ok(lo < 7 && hi > 7);
l = line([0, 0]);
l.lo = l.hi = [0, 0];
assert.deepEqual(m.span([m.view(l, m.axis("commit", [l], commits), "absolute")], 0, 4), [-1, 1]);

// A step is between its points, or between those that an axis has around them.
l = line([1, 1, 2, 2, 2], { steps: [{ last: 1, first: 2 }] });
v = m.view(l, m.axis("commit", [l], commits), "absolute");
assert.deepEqual(m.stepSpan(v, l.steps[0]), { k0: 1, k1: 2, x0: 1, x1: 2 });
v = m.view(l, m.axis("release", [l], commits), "absolute");
assert.deepEqual(m.stepSpan(v, l.steps[0]), { k0: 0, k1: 1, x0: 0, x1: 1 });
assert.equal(m.stepSpan(v, { last: 3, first: 4 }), null);

// By date a line ends where nothing was measured for long.
const many = Array.from({ length: 60 }, (_, i) => ({ sha: "d" + i, time: i * 10 + (i >= 30 ? 100000 : 0) }));
l = line(many.map(() => 1));
assert.deepEqual(m.view(l, m.axis("date", [l], many), "absolute").stretches.map((s) => s.length), [30, 30]);
assert.deepEqual(m.view(l, m.axis("commit", [l], many), "absolute").stretches.map((s) => s.length), [60]);
assert.deepEqual(m.within(m.view(l, m.axis("date", [l], many), "absolute").stretches, 10, 12).map((s) => [...s]), [[9, 10, 11, 12], [30]]);

// Thinned to what a screen can show, no extreme is lost, and the order holds.
const n = 10000, y = Array.from({ length: n }, (_, i) => Math.sin(i * 12.9898) * 43758.5453 % 1);
y[1234] = 99;
y[8765] = -99;
const ks = Array.from({ length: n }, (_, i) => i);
const kept = m.columns(ks, y, (k) => k / 10, 1000);
assert.equal(m.columns(ks, y, (k) => k, 2500).length, n, "few points are all kept");
const wide = m.columns(ks, y, (k) => k / 100, 100);
assert.ok(wide.length <= 3 * 101 && wide.includes(1234) && wide.includes(8765), String(wide.length));
assert.ok(wide.every((k, i) => !i || k > wide[i - 1]));
assert.ok(kept.length <= 3 * 1001);
for (let c = 0; c < 100; c++) {
  const of = ks.filter((k) => Math.round(k / 100) === c), shown = wide.filter((k) => Math.round(k / 100) === c);
  assert.equal(Math.max(...shown.map((k) => y[k])), Math.max(...of.map((k) => y[k])));
  assert.equal(Math.min(...shown.map((k) => y[k])), Math.min(...of.map((k) => y[k])));
}

assert.equal(m.nearest([1, 2, 4], 2.9), 1);
assert.equal(m.nearest([1, 2, 4], 3.1), 2);
assert.equal(m.nearest([1, 2, 4], -5), 0);
assert.equal(m.nearest([1, 2, 4], 50), 2);
assert.equal(m.nearest([], 1), -1);

// Labels do not cover each other; the weightiest has its place, and what has no room none.
const at = m.rows([{ x: 50, width: 40, weight: 1 }, { x: 55, width: 40, weight: 9 }, { x: 60, width: 40, weight: 5 }, { x: 150, width: 40, weight: 0 }, { x: 5, width: 40, weight: 3 }], 2, 0, 200);
assert.deepEqual(at, [{ row: -1, x: 0 }, { row: 0, x: 35 }, { row: 1, x: 40 }, { row: 0, x: 130 }, { row: -1, x: 0 }]);
assert.deepEqual(m.rows([{ x: 5, width: 40, weight: 3 }], 1, 0, 20), [{ row: -1, x: 0 }]);

// A label gets the first of its places that overlaps nothing before it, or none.
assert.deepEqual(m.settle([[[0, 0, 10, 10]], [[5, 0, 15, 10], [10, 0, 20, 10]], [[9, 5, 12, 8]], [[30, 0, 40, 10]], []], [[35, 9, 36, 12]]), [0, 1, -1, -1, -1]);
assert.deepEqual(m.settle([], []), []);
