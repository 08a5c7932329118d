"use strict";
const assert = require("node:assert/strict");
const p = require("./load.js").load("format", "compare/bases");
p.text = String;

// 48 commits of the branch, every seventh a release, and one off it.
const commits = Array.from({ length: 48 }, (_, i) => ({ sha: "c" + i, tags: i % 7 === 0 ? ["v1." + i / 7] : undefined }));
commits.push({ sha: "off", off: true, fork: 40 }, { sha: "unrelated", off: true });
const all = new Set(commits.keys());
const places = (at, measured) => p.bases(commits, at, measured || all).map((b) => b[1]);

assert.deepEqual(places(47), [46, 42]);
assert.deepEqual(places(43), [42]); // the one before is the release
assert.deepEqual(places(0), []);
assert.deepEqual(places(48), [40]);
assert.deepEqual(places(49), []);
assert.deepEqual(places(47, new Set([47, 42, 35, 30])), [42]); // only what was measured
assert.deepEqual(places(47, new Set([47, 44, 35])), [44, 35]);
assert.equal(p.bases(commits, 47, all)[1][0], "the last release, v1.6");
