// Documents are classic scripts that call perftrack.data: a page that was opened from a file
// may neither fetch nor import modules.
"use strict";
(function (p) {
  p.schema = 1; // of the documents that these scripts can read: Schema in documents.go
  const documents = new Map();
  const loading = new Map();

  // data takes a document; each data file calls it once.
  p.data = (name, doc) => documents.set(name, doc);

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
        if (documents.has(name)) resolve(documents.get(name));
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
