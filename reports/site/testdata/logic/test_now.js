"use strict";
const assert = require("node:assert/strict");
const { load, index: indexOf } = require("./load.js");
const p = load("format", "order", "rows", "spark", "now");
p.index = indexOf();

// What is not known is never said to be well.
const line = (state, change) => ({ unit: "sec/op", better: -1, state, change });
const index = (now, ...lines) => ({ now, benchmarks: [{ name: "B", path: "B", lines }] });
const say = (i) => p.standing(i, p.rows.entries(i)).slice(0, 2);
assert.deepEqual(say(index({ unresolved: 0, tooFew: 2 }, line("too-few"), line("too-few"))), ["undecided", "Too little is known to say whether anything got slower"]);
assert.deepEqual(say(index({ unresolved: 0, tooFew: 0 })), ["undecided", "Too little is known to say whether anything got slower"]);
assert.deepEqual(say(index({ unresolved: 0, tooFew: 1 }, line("too-few"), { unit: "B/op", better: -1, state: "steady" })), ["undecided", "Too little is known to say whether anything got slower"]);
assert.deepEqual(say(index({ unresolved: 0, tooFew: 1 }, line("too-few"), line("steady"))), ["", "No unresolved regression was found"]);
assert.deepEqual(say(index({ unresolved: 1, tooFew: 1 }, line("regressed", 0.1), line("too-few"))), ["worse", "1 benchmark has an unresolved regression"]);
// A check on the branch proves what its runs are too few to show; none, one that left something undecided, or one
// of an older commit does not.
const few = [line("too-few"), line("too-few")];
const proved = (now, lines) => ({ ...index({ unresolved: 0, tooFew: 2, trial: "t", head: "b".repeat(40), decided: 2, regressed: 0, undecided: 0, left: 0, ...now }, ...(lines || few)), meta: { head: "b".repeat(40) } });
const found = (now) => say(proved(now));
assert.deepEqual(found({ regressed: 1 }), ["worse", "The newest check found 1 benchmark slower"]);
assert.deepEqual(found({}), ["", "The newest check found no regression"]);
for (const now of [{ undecided: 1 }, { decided: 0 }, { trial: "" }, { left: 1 }, { head: "a".repeat(40) }]) assert.deepEqual(found(now), ["undecided", "Too little is known to say whether anything got slower"]);
assert.deepEqual(say(proved({ trial: "" }, [line("checked", 2)])), ["worse", "A check or a bisection found 1 benchmark slower"]);
const also = { now: { unresolved: 1, tooFew: 1 }, benchmarks: [{ name: "A", path: "A", lines: [line("regressed", 1), line("checked", 1)] }, { name: "B", path: "B", lines: [line("checked", 2)] }] };
assert.deepEqual(say(also), ["worse", "1 benchmark has an unresolved regression, and a check found 1 more"]);
const two = index({ unresolved: 2, tooFew: 0 }, line("regressed", 0.1), line("regressed", 3), line("accepted", 9), { ...line("regressed", 70), unit: "B/op" });
assert.equal(p.standing(two, p.rows.entries(two))[2].line.change, 3); // of the times
const proven = index({ unresolved: 1, tooFew: 1 }, line("checked", 3.3), { ...line("regressed", 70), unit: "B/op" });
assert.equal(p.standing(proven, p.rows.entries(proven))[2].line.change, 3.3); // be it that a check alone proved it

// The tile of the newest check is no 0 where it left something open, nor where it is of an older commit.
const tile = (now) => p.checked(proved(now));
assert.deepEqual(tile({}), ["0", "regressed", "in the newest check", ""]);
assert.deepEqual(tile({ decided: 0 }), ["0", "regressed", "in the newest check, which had no benchmark to measure", ""]);
assert.deepEqual(tile({ decided: 0, undecided: 10 }), ["—", "regressed", "nothing was decided, 10 undecided, in the newest check", "undecided"]);
assert.deepEqual(tile({ decided: 0, left: 1 }), ["—", "regressed", "nothing was decided, not everything was checked, in the newest check", "undecided"]);
assert.deepEqual(tile({ undecided: 3 }), ["3", "undecided", "the other 2 did not regress, in the newest check", "undecided"]);
assert.deepEqual(tile({ left: 1 }), ["—", "regressed", "not everything was checked, in the newest check", "undecided"]);
assert.deepEqual(tile({ regressed: 1, undecided: 3 }), ["1", "regressed", "in the newest check, 3 undecided", "worse"]);
assert.deepEqual(tile({ head: "a".repeat(40) }), ["0", "regressed", "in the check of aaaaaaaaaaaa, which is not the newest commit", "undecided"]);
assert.deepEqual(tile({ trial: "" }), ["—", "regressed in a check", "this branch has no check yet: run perftrack check", ""]);
assert.deepEqual([[true, 5, 5], [true, 1, 5], [false, 1, 1]].map(([whole, newest, known]) => p.coverage({ whole, newest, known })),
  ["every benchmark is in the newest runs", "1 of 5 benchmarks in the newest runs", "unknown: only selected benchmarks were measured, 1 benchmark"]);

// A spark line has a place for each sign, and words for who does not see it.
assert.deepEqual(p.sparkValues("0.Z§"), [0, null, 1, null]);
assert.deepEqual(p.sparkValues(""), []);
assert.equal(p.sparkWords({ runs: 1, marks: [] }), "1 run");
assert.equal(p.sparkWords({ runs: 1200, marks: [] }), "1,200 runs, no step");
assert.equal(p.sparkWords({ runs: 40, marks: [[3, 1], [9, -1], [12, 1], [20, 0]] }), "40 runs, 2 steps for the worse, 1 step for the better, 1 step");
