"use strict";
const assert = require("node:assert/strict");
const p = require("./load.js").load("parts");

// A document of no more than parts.js asks of one: templates, and a head that notes what is put into it.
const put = [];
const part = (pages, nodes) => ({ dataset: { pages }, content: { querySelectorAll: () => nodes } });
global.document = {
  templates: [],
  querySelectorAll() { return this.templates; },
  createElement: (name) => ({ localName: name, remove() {} }),
  head: { append(node) {
    put.push(node);
    if (node.src || node.href) setImmediate(node.onload); // as a browser that has loaded it
  } },
};
(async () => {
  // Of a folder: files, once each, those of other pages not at all.
  document.templates = [part("b trends", [{ localName: "link", href: "static/b.css" }, { localName: "script", src: "static/js/b.js" }]),
    part("machine", [{ localName: "script", src: "static/js/m.js" }])];
  await p.part("b");
  await p.part("b");
  assert.deepEqual(put.map((n) => n.src || n.href), ["static/b.css", "static/js/b.js"]);

  // Of a page of one file: what stands in the part itself. Nothing is waited for that never loads.
  put.length = 0;
  document.templates = [part("b", [{ localName: "style", textContent: "a {}" }, { localName: "script", src: "", textContent: "one()" }, { localName: "script", src: "", textContent: "two()" }])];
  let there = false;
  process.on("exit", () => assert.ok(there, "the part is never there"));
  await p.part("b");
  there = true;
  assert.deepEqual(put.map((n) => n.localName + " " + n.textContent), ["style a {}", "script one()", "script two()"]);
})().catch((problem) => {
  console.error(problem);
  process.exit(1);
});
