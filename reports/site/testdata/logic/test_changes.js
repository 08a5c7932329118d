"use strict";
const assert = require("node:assert/strict");
const p = require("./load.js").load("format", "changes");
const c = p.changes;

// Twelve benchmarks that one commit made slower are one card; the largest change comes first, by date the newest.
const step = (b, upTo, change, more) => Object.assign({ b, env: 0, unit: "sec/op", better: -1, after: upTo - 1, upTo, state: "open", drift: 0, change }, more);
const list = [step(20, 40, 0.025), ...Array.from({ length: 12 }, (_, b) => step(b, 20, 0.1 + b / 100)), step(3, 20, 0.3, { unit: "allocs/op" }), step(5, 20, 0.1, { env: 1 }), step(6, 20, -0.5, { better: 1 }), step(7, 20, 0.2, { state: "accepted" })];
const groups = c.groups(list);
assert.deepEqual(groups.map((g) => [g[0].upTo, g[0].env, g[0].state, g.length]), [[20, 0, "open", 14], [20, 0, "accepted", 1], [20, 1, "open", 1], [40, 0, "open", 1]]);
assert.equal(groups[0][0].b, 6); // half as fast weighs as much as twice as slow
assert.equal(groups[0][1].unit, "allocs/op");
assert.equal(c.benchmarks(groups[0]), 12);
assert.deepEqual(c.groups(list, "date").map((g) => g[0].upTo), [40, 20, 20, 20]);
