// Parts are scripts that only some pages need: in the document they stand in templates, which
// a browser does not run, and are loaded with the first of these pages.
"use strict";
(function (p) {
  const loading = new Map();

  // part returns a promise of the scripts of a page.
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

  // run loads the scripts of a part, which run in their order.
  const run = (part) => Promise.all([...part.content.querySelectorAll("script")].map(({ src }) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = src;
    script.async = false;
    script.onload = resolve;
    script.onerror = () => {
      script.remove();
      reject(new Error(src.replace(/.*(static\/)/, "$1") + " cannot be loaded: the folder was copied without it, or the server is gone."));
    };
    document.head.append(script);
  })));
})(perftrack);
