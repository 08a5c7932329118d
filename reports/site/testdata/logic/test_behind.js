// An older page says that it is one and how far the newer one is, asks again and again, and
// loads itself anew when that is there.
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const notes = [];
const scripts = [];
const timers = [];
let reloads = 0;
globalThis.perftrack = {
  el: () => ({ textContent: "" }),
  format: { time: (seconds) => "at " + seconds },
};
globalThis.document = {
  getElementById: () => ({ before: (note) => notes.push(note) }),
  createElement: () => ({ remove() {} }),
  head: { append: (script) => scripts.push(script) },
};
globalThis.location = { reload: () => reloads++ };
globalThis.setTimeout = (fn, ms) => timers.push({ fn, ms });
globalThis.clearTimeout = (n) => n && (timers[n - 1].gone = true);
const file = path.join(__dirname, "..", "..", "server", "behind.js");
const text = fs.readFileSync(file, "utf8");
const waiting = () => timers.filter((t) => !t.gone);

vm.runInThisContext(text, { filename: file });
perftrack.behind({ time: 5, doing: "reading the runs", done: 3, of: 7, why: "" });
vm.runInThisContext(text, { filename: file }); // each older document brings it along
perftrack.behind({ time: 5, doing: "reading the runs", done: 4, of: 7, why: "" });
assert.strictEqual(notes.length, 1);
assert.strictEqual(notes[0].textContent, "This page shows the data from at 5. Newer data are being read, reading the runs: 4 of 7. The page will then show them by itself.");
assert.strictEqual(waiting().length, 1);

waiting()[0].fn();
assert.match(scripts[0].src, /^data\/behind\.js\?\d+$/);
perftrack.behind({ time: 0, doing: "", done: 0, of: 0, why: "<b>it</b> is damaged" });
assert.strictEqual(notes[0].textContent, "This page shows the data from at 5. Newer data cannot be shown: <b>it</b> is damaged");
scripts[0].onerror(); // a server that is gone may come back
assert.strictEqual(waiting().at(-1).ms, 5000);
assert.strictEqual(reloads, 0);
perftrack.behind(null);
assert.strictEqual(reloads, 1);
