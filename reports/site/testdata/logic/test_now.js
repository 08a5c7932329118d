"use strict";
const assert = require("node:assert/strict");
const p = require("./load.js").load("format", "order", "rows", "spark", "now");

// What is not known is never said to be well.
const line = (state, change) => ({ unit: "sec/op", better: -1, state, change });
const index = (now, ...lines) => ({ now, benchmarks: [{ name: "B", path: "B", lines }] });
const say = (i) => p.standing(i, p.rows.entries(i)).slice(0, 2);
assert.deepEqual(say(index({ inForce: 0, tooFew: 2 }, line("too-few"), line("too-few"))), ["undecided", "Too little is known to say whether anything got slower"]);
assert.deepEqual(say(index({ inForce: 0, tooFew: 0 })), ["undecided", "Too little is known to say whether anything got slower"]);
assert.deepEqual(say(index({ inForce: 0, tooFew: 1 }, line("too-few"), { unit: "B/op", better: -1, state: "steady" })), ["undecided", "Too little is known to say whether anything got slower"]);
assert.deepEqual(say(index({ inForce: 0, tooFew: 1 }, line("too-few"), line("steady"))), ["", "No regression in force was found"]);
assert.deepEqual(say(index({ inForce: 1, tooFew: 1 }, line("regressed", 0.1), line("too-few"))), ["worse", "1 regression is in force"]);
// A check on the branch proves what its runs are too few to show; one of another branch, or one that left something undecided, does not.
const few = [line("too-few"), line("too-few")];
const found = (now) => say(index({ inForce: 0, tooFew: 2, trial: "t", here: true, decided: 2, regressed: 0, undecided: 0, ...now }, ...few));
assert.deepEqual(found({ regressed: 1 }), ["worse", "The newest check found 1 regression"]);
assert.deepEqual(found({}), ["", "The newest check found no regression"]);
for (const now of [{ undecided: 1 }, { decided: 0 }, { here: false }, { here: false, regressed: 1 }]) assert.deepEqual(found(now), ["undecided", "Too little is known to say whether anything got slower"]);
const two = index({ inForce: 2, tooFew: 0 }, line("regressed", 0.1), line("regressed", 3), line("accepted", 9));
assert.equal(p.standing(two, p.rows.entries(two))[2].line.change, 3);

// A spark line has a place for each sign, and words for who does not see it.
assert.deepEqual(p.sparkValues("0.Z§"), [0, null, 1, null]);
assert.deepEqual(p.sparkValues(""), []);
assert.equal(p.sparkWords({ runs: 1, marks: [] }), "1 run");
assert.equal(p.sparkWords({ runs: 1200, marks: [] }), "1,200 runs, no step");
assert.equal(p.sparkWords({ runs: 40, marks: [[3, 1], [9, -1], [12, 1], [20, 0]] }), "40 runs, 2 steps for the worse, 1 step for the better, 1 step");
