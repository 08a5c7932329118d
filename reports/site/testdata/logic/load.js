// Loads scripts of the page that need no document, as a page does: one after the other, with
// one global name.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const folder = path.join(__dirname, "..", "..", "static", "js");
exports.load = (...names) => {
  for (const name of ["theme", ...names]) {
    const file = path.join(folder, name + ".js");
    vm.runInThisContext(fs.readFileSync(file, "utf8"), { filename: file });
  }
  return globalThis.perftrack;
};

// index is an index without data, from the looks that the test passes on its standard input.
exports.index = (more) => Object.assign(JSON.parse(fs.readFileSync(0, "utf8")), { benchmarks: [], environments: [] }, more);
