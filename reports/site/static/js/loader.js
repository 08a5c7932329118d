// Documents are classic scripts that call perftrack.data, because a page opened from a file may neither
// fetch nor import modules.
"use strict";
(function (p) {
  p.schema = 1; // see Schema in documents.go
  const documents = new Map();
  const loading = new Map();

  const failures = new Map();
  let state; // the stamp of the first document

  // data takes a document from its file. If the document is of another state of the site, its indices mean
  // other commits and benchmarks, and the page reloads.
  p.data = function (name, doc, stamp) {
    if (state === undefined) state = stamp;
    if (stamp === state) documents.set(name, doc);
    else again(name);
  };

  // fresh takes a document that refers to no other one, whatever the state of the site.
  p.fresh = (name, doc) => documents.set(name, doc);

  // refresh loads such a document again.
  p.refresh = function (name) {
    documents.delete(name);
    return p.load(name);
  };

  // A single page has its documents before its scripts.
  for (const one of p.early || []) p.data(...one);
  delete p.early;

  // fail takes the reason why a live site has no such document.
  p.fail = (name, why) => failures.set(name, why);

  // again reloads the page, but reports an error if it just did.
  const memory = "perftrack-again";
  function again(name) {
    failures.set(name, "The site was rewritten while it was read, or mixes files of two states. Reload the page.");
    try {
      const last = Number(sessionStorage.getItem(memory)) || 0;
      if (Math.abs(Date.now() - last) < 5000) return;
      sessionStorage.setItem(memory, Date.now());
      location.reload();
    } catch {
      // without storage it could reload for ever
    }
  }

  // load returns a promise of a document by its name, "index" or "b/" + id. Its error names the missing
  // file and the remedy.
  p.load = function (name) {
    if (documents.has(name)) return Promise.resolve(documents.get(name));
    if (!loading.has(name)) {
      loading.set(name, inject(name).finally(() => loading.delete(name)));
    }
    return loading.get(name);
  };

  function inject(name) {
    const path = "data/" + name.split("/").map(encodeURIComponent).join("/") + ".js";
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = path;
      script.onload = () => {
        script.remove();
        const why = failures.get(name);
        failures.delete(name);
        if (documents.has(name)) resolve(documents.get(name));
        else if (why) reject(new Error(why));
        else reject(new Error(path + " has unexpected content or is damaged. Write the site again: perftrack report --format html -o DIR"));
      };
      script.onerror = () => {
        script.remove();
        reject(new Error(path + " cannot be loaded: it is not in this site, or the folder was copied without it."));
      };
      document.head.append(script);
    });
  }
})(perftrack);
