// Addresses: #/b/sorty/Sort/n=1000?y=ratio&from=v1.2. They are part of what the page promises:
// whoever copies one sees the same again, also from a site that was written later.
"use strict";
(function (p) {
  // Signs that mean nothing in an address stay as they are, so that it can be read.
  const plain = (text) => encodeURIComponent(text).replace(/%(3D|3A|2C|40|24|3B)/g, (code) => decodeURIComponent(code));

  function decode(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text; // typed by hand: "100%"
    }
  }

  // href is the address of a page; path is a list or text with slashes, query an object whose
  // empty values are left out.
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

  // setQuery changes parts of the query; null takes one away. With replace the step back leads
  // past it; with quiet the page has shown the change already and is not rendered again.
  p.setQuery = function (changes, options) {
    const { replace, quiet } = options || {};
    const route = p.parse(location.hash);
    const next = href(route.page, route.path, Object.assign({}, route.query, changes));
    if (next === location.hash) return;
    try {
      history[replace ? "replaceState" : "pushState"](replace ? history.state : null, "", next);
    } catch {
      return; // browsers count: one that has had enough shows the old address
    }
    if (quiet) p.route = p.parse(next);
    else p.show();
  };
})(perftrack);
