"use strict";
const assert = require("node:assert/strict");
const p = require("./load.js").load("format", "order", "rows", "family");

const bench = (name, more) => Object.assign({ name, path: "p/" + name, package: "p", target: "t", suite: "" }, more);
const all = [...[10, 100, 1000, 10000].map((n) => bench("Sort/n=" + n)), bench("Sort/n=10", { package: "q", path: "q/Sort/n=10" }), bench("Merge/n=10"),
  ...["int", "string"].flatMap((k) => [1, 8, 64].map((n) => bench("Fill/kind=" + k + "/n=" + n)))];

// Those that differ in parameters only, of one package, or those that are named.
assert.deepEqual(p.family({ of: "t p", stem: "Sort/n=*" }, all).map((b) => b.name), ["Sort/n=10", "Sort/n=100", "Sort/n=1000", "Sort/n=10000"]);
assert.deepEqual(p.family({ b: "p/Merge/n=10~p/Sort/n=10~gone" }, all).map((b) => b.path), ["p/Merge/n=10", "p/Sort/n=10"]);
assert.deepEqual(p.family({}, all), []);

// A parameter is one that all have as a number, and that differs.
const names = (list) => p.parameters(list).map(([name, values]) => [name, [...values.values()]]);
assert.deepEqual(names(["Sort/n=10", "Sort/n=1e3", "Sort/n=4k"]), [["n", [10, 1000, 4000]]]);
assert.deepEqual(names(["Fill/kind=int/n=1", "Fill/kind=string/n=8"]), [["n", [1, 8]]]);
assert.deepEqual(names(["A/64", "A/128"]), [["part 1", [64, 128]]]);
assert.deepEqual(names(["A/n=1", "A/n=1/x"]), []);
assert.deepEqual(names(["A", "B"]), []);
