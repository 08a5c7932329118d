// Shows numbers as the page does: a list of {value, unit} in, a list of {Value, Portion, Change} out.
"use strict";
const f = require("./load.js").load("format").format;
const list = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const answers = list.map((q) => ({
  Value: f.on(f.scale(q.unit, [q.value]), q.value),
  Portion: f.percent(Math.abs(q.value)),
  Change: f.change(q.value, 0, "B/op"),
}));
process.stdout.write(JSON.stringify(answers));
