"use strict";
const assert = require("node:assert/strict");
const b = require("./load.js").load("benchmark/find").benchmarks;

const row = (path, more) => Object.assign({ id: "i" + path, path, target: "sorty", package: "example.com/x/sorty", suite: "", name: path.split("/").slice(1).join("/") }, more);
const rows = [row("sorty/Sort/n=10"), row("sorty/Sort/n=1000"), row("sorty/Parse"), row("other/Parse", { package: "example.com/x/other" })];

// An address finds its benchmark by the path, its end, or whatever its case.
assert.equal(b.find("sorty/Sort/n=10", rows).row, rows[0]);
assert.equal(b.find("isorty/Parse", rows).row, rows[2]);
assert.equal(b.find("Sort/n=1000", rows).row, rows[1]);
assert.equal(b.find("sort/N=1000", rows).row, rows[1]);
assert.equal(b.find("x/other/Parse", rows).row, rows[3]);
// The end of several asks which; what is unknown names the most alike.
assert.deepEqual(b.find("Parse", rows).several, [rows[2], rows[3]]);
assert.deepEqual(b.find("sorty/Sort", rows).several, [rows[0], rows[1]], "a family of parameters");
assert.equal(b.find("sorty/Sort/n=100", rows).near[0].name.startsWith("Sort/n=10"), true);
assert.equal(b.find("Prase", rows).near[0].name, "Parse");
assert.deepEqual(b.find("", rows), { near: [] });
assert.deepEqual(b.find("zzzz", []), { near: [] });

const commits = [{ sha: "aaaa1111" + "0".repeat(32) }, { sha: "bbbb2222" + "0".repeat(32), tags: ["v1.2", "beef"] }];
assert.equal(b.commit("v1.2", commits), 1);
assert.equal(b.commit("aaaa11", commits), 0);
assert.equal(b.commit("aaa", commits), -1, "too short to mean one");
assert.equal(b.commit("", commits), -1);
assert.equal(b.commit("cccc", commits), -1);
for (const i of [0, 1]) assert.equal(b.commit(b.commitName(i, commits), commits), i);
assert.equal(b.commitName(7, commits), null);

// A shell takes what stands in a command for one word.
for (const [value, want] of [
  ["Sort/n=1000", " --bench Sort/n=1000"], ["a b", " --bench 'a b'"], ["it's $(x)", " --bench 'it'\\''s $(x)'"], ["-x", " --bench=-x".replace("-x", "'-x'")],
  ["a\nb", " --bench $'a\\012b'"], ["a\u202e'b", " --bench $'a\\342\\200\\256\\'b'"], ["größe", " --bench 'größe'"], ["", " --bench ''"],
]) assert.equal(b.option("bench", value), want);
