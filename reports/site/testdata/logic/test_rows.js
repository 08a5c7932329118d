"use strict";
const assert = require("node:assert/strict");
globalThis.document = undefined;
const { load, index: indexOf } = require("./load.js");
const p = load("format", "order", "rows");
const r = p.rows;

for (const [name, want] of [
  ["Sort", "Sort"], ["Sort/n=1000", "Sort/n=*"], ["Sort/n=10/map", "Sort/n=*/map"], ["Sort/1000", "Sort/*"], ["Mul/512x512", "Mul/*"], ["Read/4KiB", "Read/*"],
  ["MatMul_512x512", "MatMul_512x512"], ["Encode/json", "Encode/json"], ["k=1/n=2", "k=1/n=*"], ["", ""], ["/=x", "/=x"],
]) assert.equal(r.stem(name), want, name);

const line = (state, more) => ({ env: 0, unit: "sec/op", better: -1, level: 1, change: null, state, runs: 9, ...more });
const bench = (pkg, name, ...lines) => ({ id: name, path: name, target: "t", package: pkg, suite: "", name, lines });
const index = {
  now: { lost: [3], stale: [] }, environments: [{ label: "linux" }, { label: "mac" }],
  benchmarks: [
    bench("a", "Sort/n=10", line("steady"), line("steady", { unit: "allocs/op", level: 7 })),
    bench("a", "Sort/n=9", line("regressed", { change: 0.1 })),
    bench("a", "Parse", line("steady", { noise: 0.5 }), line("regressed", { unit: "B/op", change: 1 }), line("regressed", { unit: "sec/op", env: 1, change: 0.2 })),
    bench("b", "Old", line("too-few")),
    bench("c", "Big", line("regressed", { change: 4 })),
    bench("c", "Rate", line("improved", { unit: "tok/s", better: 1, change: 0.5 }), line("steady", { unit: "tok/s", better: 1, branch: "next" })),
    bench("c", "None"),
  ],
};
p.index = indexOf();
const all = r.entries(index);
const show = (query) => {
  const v = r.view(query);
  const { rows, counts } = r.select(all, v, index.environments);
  const items = r.items(rows, v).map((i) => (i.heading !== undefined ? "[" + i.heading + " " + i.worse + "/" + i.count + "]" : (i.inside ? "  " : "") + (i.members ? i.row.stem + "(" + i.members.length + ")" : i.row.b.name) + ":" + i.row.line.state));
  return { items, counts };
};

// What regressed comes first, of packages and in them, and what is folded shows the worst inside.
assert.deepEqual(show({}).items, [
  "[t c 1/2]", "Big:regressed", "Rate:improved", "[t a 2/3]", "Parse:regressed", "Sort/n=*(2):regressed", "[t b 0/1]", "Old:too-few",
]);
assert.deepEqual(show({ open: "Sort/n=*", q: "sort" }).items, ["[t a 1/2]", "Sort/n=*(2):regressed", "  Sort/n=9:regressed", "  Sort/n=10:steady"]);
assert.deepEqual({ ...show({}).counts }, { regressed: 3, steady: 1, "too-few": 1, lost: 1, improved: 1 });

// What got worse little by little is unresolved as well.
const slow = { ...index, benchmarks: [bench("z", "Slow", line("steady"), line("drift", { unit: "B/op", change: 0.3 })), bench("y", "Well", line("improved"))] };
const drifted = r.items(r.select(r.entries(slow), r.view({}), index.environments).rows, r.view({}));
assert.deepEqual(drifted.map((i) => (i.heading !== undefined ? [i.heading, i.worse] : i.row.line.unit)), [["t z", 1], "B/op", ["t y", 0], "sec/op"]);

// What was 0 before has no ratio and is no less worse.
const zero = line("regressed", { unit: "B/op", changeAt: 3 });
assert.equal(r.changeOf(zero), "from 0");
assert.equal(r.changeOf(line("steady", { changeAt: -1 })), "—");
assert.ok(r.size(zero) > r.size(line("regressed", { change: 0.5 })));

// No filter hides that another unit or environment got worse, and each narrows to what it names.
assert.deepEqual(show({ unit: "sec/op", env: "linux", q: "parse" }).items, ["[t a 0/1]", "Parse:steady"]);
assert.deepEqual(show({ env: "mac" }).items, ["[t a 1/1]", "Parse:regressed"]);
assert.deepEqual(show({ branch: "next" }).items, ["[t c 0/1]", "Rate:steady"]);
assert.deepEqual(show({ package: "t b" }).items, ["[t b 0/1]", "Old:too-few"]);
assert.deepEqual(show({ state: "lost~improved" }).items, ["[t b 0/1]", "Old:too-few", "[t c 0/1]", "Rate:improved"]);
assert.equal(show({ state: "lost" }).counts.regressed, 3, "chips count as if no state were chosen");
assert.deepEqual(show({ q: "A  sort" }).items, ["[t a 1/2]", "Sort/n=*(2):regressed"]);
assert.deepEqual(show({ q: "nothing" }).items, []);

// Sorted by a number there are no packages; what is missing is last both ways.
assert.deepEqual(show({ sort: "change", dir: "descending" }).items.slice(0, 3), ["Big:regressed", "Parse:regressed", "Sort/n=*(2):regressed"]);
assert.equal(show({ sort: "change", dir: "descending" }).items.at(-1), "Old:too-few");
assert.equal(show({ sort: "change", dir: "ascending" }).items.at(-1), "Old:too-few");
assert.equal(show({ sort: "name", dir: "ascending" }).items[0], "[t a 2/3]");

// A state and a unit may have any name.
const odd = { ...index, benchmarks: [bench("z", "Odd", line("constructor", { unit: "toString" })), bench("z", "Well", line("steady"))] };
const shown = r.select(r.entries(odd), r.view({}), index.environments);
assert.deepEqual({ ...shown.counts }, { constructor: 1, steady: 1 });
assert.equal(r.items(shown.rows, r.view({ sort: "constructor" })).length, 3);
assert.equal(p.format.kind("constructor/op"), "other");
assert.equal(r.worse(line("constructor")), false);

// Nothing is folded but parameters: a scope of a profile may be called like the benchmark.
const twice = { ...index, benchmarks: [bench("z", "GELU", line("steady")), { ...bench("z", "GELU", line("steady")), scope: true }, bench("z", "GELU", line("steady"))] };
const three = r.items(r.select(r.entries(twice), r.view({}), index.environments).rows, r.view({}));
assert.deepEqual(three.map((i) => (i.heading !== undefined ? i.heading : i.members)), ["t z", null, null, "t z scopes", null]);
assert.equal(r.values("Sort/n=10/map"), "n=10");

// The address keeps all that was chosen.
const query = { q: "x", package: "t a", unit: "B/op", env: "mac", branch: "next", state: "lost~drift", sort: "noise", dir: "descending", open: "A/*~B/n=*" };
assert.deepEqual(r.query(r.view(query)), query);
assert.ok(Object.values(r.query(r.view({}))).every((v) => v === null));

// The order of a thousand takes no time that anybody notices.
const many = { ...index, now: {}, benchmarks: Array.from({ length: 1000 }, (_, i) => bench("p" + (i % 20), "F" + (i % 90) + "/n=" + i, line(i % 50 ? "steady" : "regressed", { change: i / 500 }))) };
const { rows } = r.select(r.entries(many), r.view({}), []);
assert.equal(r.items(rows, r.view({ open: "*" })).filter((i) => i.row && !i.members).length, 1000);

// A time that a check says got worse stands for the benchmark, whatever else did.
const proved = { benchmarks: [{ name: "P", path: "P", lines: [{ unit: "sec/op", better: -1, state: "checked", change: 0.1 }, { unit: "B/op", better: -1, state: "regressed", change: 9 }] }], now: {} };
assert.equal(r.select(r.entries(proved), r.view({}), []).rows[0].line.unit, "sec/op");
