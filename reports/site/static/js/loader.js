// Documents are classic scripts that call perftrack.data: a page that was opened from a file
// may neither fetch nor import modules.
"use strict";
(function (p) {
  p.schema = 1; // of the documents that these scripts can read: Schema in documents.go
  const documents = new Map();
  const loading = new Map();

  const failures = new Map();
  let state; // the stamp of the first document

  // data takes a document; each data file calls it once. One of another state of the site would
  // mean other commits and benchmarks by its places in lists: the page begins anew.
  p.data = function (name, doc, stamp) {
    if (state === undefined) state = stamp;
    if (stamp === state) documents.set(name, doc);
    else again(name);
  };

  // A page that is one file has its documents before its scripts.
  for (const one of p.early || []) p.data(...one);
  delete p.early;

  // fail takes why there is no such document; a live site calls it.
  p.fail = (name, why) => failures.set(name, why);

  // again reloads the page, unless it just did: a site that does not come to rest says so.
  const memory = "perftrack-again";
  function again(name) {
    failures.set(name, "The site was written anew while it was read, or holds files of two states. Load the page again.");
    try {
      const last = Number(sessionStorage.getItem(memory)) || 0;
      if (Math.abs(Date.now() - last) < 5000) return;
      sessionStorage.setItem(memory, Date.now());
      location.reload();
    } catch {
      // without a memory it could go on for ever
    }
  }

  // load returns a promise of a document by its name, as in "index" or "b/" + id. The file is
  // loaded once; an error says which file is missing and what to do.
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
        else reject(new Error(path + " holds something else, or is damaged. Write the site again: perftrack report --format html -o DIR"));
      };
      script.onerror = () => {
        script.remove();
        reject(new Error(path + " cannot be loaded: it is not in this site, or the folder was copied without it."));
      };
      document.head.append(script);
    });
  }
})(perftrack);
