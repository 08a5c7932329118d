"use strict";
const assert = require("node:assert/strict");
const p = require("./load.js").load("router");

// An address can be read, and says the same when it is read again.
assert.equal(p.href("b", "sorty/Sort/n=1000", { y: "ratio", from: "v1.2" }), "#/b/sorty/Sort/n=1000?from=v1.2&y=ratio");
assert.equal(p.href("overview", "", {}), "#/");
assert.equal(p.href("overview", "", { state: "lost~stale", q: "" }), "#/?state=lost~stale");
assert.equal(p.href("regressions"), "#/regressions");

const hostile = ["a/b", "<img src=x onerror=alert(1)>", "100%", "?y=1&x", "#/c", "a b", "ü µ", "", "..", "\u202e"];
for (const name of hostile) {
  const at = p.parse(p.href("b", ["t", name, "end"], { q: name }));
  assert.deepEqual([at.page, ...at.path], ["b", "t", name, "end"]);
  assert.equal(at.query.q || "", name);
}
assert.equal(p.parse(p.href("b", "t/a//b")).path.join("/"), "t/a//b");
assert.deepEqual({ ...p.parse("#/b/100%?a=%zz&b&=c") }.path, ["100%"]);
assert.equal(p.parse("").page, "overview");
assert.equal(p.parse("#/?q=x").query.q, "x");
assert.equal(p.parse("#/b?__proto__=1").query.page, undefined);
