// Parts are scripts and styles of some pages. They wait in templates of the document, whose content a
// browser does not run, until the first of their pages opens.
"use strict";
(function (p) {
  const loading = new Map();

  // part returns a promise of the parts of a page.
  p.part = function (page) {
    const parts = [...document.querySelectorAll("template[data-pages]")].filter((t) => t.dataset.pages.split(" ").includes(page));
    return Promise.all(parts.map((part) => {
      if (!loading.has(part)) loading.set(part, run(part).catch((problem) => {
        loading.delete(part);
        throw problem;
      }));
      return loading.get(part);
    }));
  };

  // run loads the scripts of a part in their order, and its styles. A single page has them inline.
  const run = (part) => Promise.all([...part.content.querySelectorAll("script, link, style")].map((of) => new Promise((resolve, reject) => {
    const node = document.createElement(of.localName);
    if (!of.src && !of.href) {
      node.textContent = of.textContent;
      document.head.append(node);
      resolve();
      return;
    }
    if (of.src) {
      node.src = of.src;
      node.async = false;
    } else {
      node.rel = "stylesheet";
      node.href = of.href;
    }
    node.onload = resolve;
    node.onerror = () => {
      node.remove();
      reject(new Error((of.src || of.href).replace(/.*(static\/)/, "$1") + " cannot be loaded: the folder was copied without it, or the server has stopped."));
    };
    document.head.append(node);
  })));
})(perftrack);
