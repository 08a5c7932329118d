// Addresses: #/b/sorty/Sort/n=1000?y=ratio&from=v1.2. They are stable: a copied address shows the same,
// also on a site written later.
"use strict";
(function (p) {
  // Characters without a meaning in addresses stay readable.
  const plain = (text) => encodeURIComponent(text).replace(/%(3D|3A|2C|40|24|3B)/g, (code) => decodeURIComponent(code));

  function decode(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text; // typed by hand: "100%"
    }
  }

  // href returns the address of a page. path is a list, or a text with slashes; empty values of the query
  // are skipped.
  function href(page, path, query) {
    const parts = Array.isArray(path) ? path : path ? String(path).split("/") : [];
    let text = "#/" + [page === "overview" ? "" : page, ...parts].filter((part, i) => part !== "" || i > 0).map(plain).join("/");
    const pairs = Object.keys(query || {}).sort().filter((k) => query[k] !== null && query[k] !== undefined && query[k] !== "");
    if (pairs.length) text += "?" + pairs.map((k) => plain(k) + "=" + plain(String(query[k]))).join("&");
    return text;
  }

  // parse reads an address: {page, path, query}.
  function parse(hash) {
    const text = hash.replace(/^#?\/?/, "");
    const mark = text.indexOf("?");
    const [page, ...path] = (mark < 0 ? text : text.slice(0, mark)).split("/").map(decode);
    const query = Object.create(null);
    if (mark >= 0) {
      for (const pair of text.slice(mark + 1).split("&")) {
        const at = pair.indexOf("=");
        if (pair) query[decode(at < 0 ? pair : pair.slice(0, at))] = at < 0 ? "" : decode(pair.slice(at + 1));
      }
    }
    return { page: page || "overview", path, query };
  }

  p.href = href;
  p.parse = parse;
  p.route = { page: "overview", path: [], query: {} };

  // setQuery changes parts of the query; null removes one. replace adds no step to the history; quiet means
  // that the page already shows the change.
  p.setQuery = function (changes, options) {
    const { replace, quiet } = options || {};
    const route = p.parse(location.hash);
    const next = href(route.page, route.path, Object.assign({}, route.query, changes));
    if (next === location.hash) return;
    try {
      history[replace ? "replaceState" : "pushState"](replace ? history.state : null, "", next);
    } catch {
      return; // browsers limit changes; then the address stays old
    }
    if (quiet) p.route = p.parse(next);
    else p.show();
  };
})(perftrack);
