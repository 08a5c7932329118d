// Finding a benchmark by the text in an address: its path, a shortened path or something close.
"use strict";
(function (p) {
  const whole = (row) => [row.target, row.package, row.name].filter(Boolean).join("/");

  // find returns {row} for a path, {several} if it ends several paths, else {near}: the rows with the most
  // similar names.
  function find(path, rows) {
    const exact = rows.find((r) => r.path === path) || rows.find((r) => r.id === path);
    if (exact) return { row: exact };
    const ends = (name, end) => name === end || name.endsWith("/" + end) || name.endsWith("." + end);
    for (const fold of [(s) => s, (s) => s.toLowerCase()]) {
      const end = fold(path);
      const found = end ? rows.filter((r) => ends(fold(r.path), end) || ends(fold(whole(r)), end) || ends(fold([r.target, r.suite, r.name].filter(Boolean).join("/")), end)) : [];
      if (found.length === 1) return { row: found[0], shortened: true };
      if (found.length) return { several: found };
    }
    const family = path && rows.filter((r) => (r.path + "/").startsWith(path + "/") || (r.name + "/").startsWith(path + "/"));
    if (family && family.length) return { several: family };
    return { near: nearest(path, rows, 8) };
  }

  // nearest returns the rows whose names share the most letter pairs with text.
  function nearest(text, rows, count) {
    const asked = pairs(text);
    const scored = rows.map((row, i) => [Math.max(alike(asked, pairs(row.path)), alike(asked, pairs(row.name)), 0.9 * alike(asked, pairs(row.name.split("/")[0]))), i, row]);
    return scored.filter(([score]) => score > 0.15).sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, count).map((s) => s[2]);
  }

  function pairs(text) {
    const s = " " + text.toLowerCase().slice(0, 300) + " ";
    const out = new Map();
    for (let i = 0; i + 1 < s.length; i++) out.set(s.slice(i, i + 2), (out.get(s.slice(i, i + 2)) || 0) + 1);
    return out;
  }
  function alike(a, b) {
    let both = 0, all = 0;
    for (const n of a.values()) all += n;
    for (const [pair, n] of b) {
      both += Math.min(n, a.get(pair) || 0);
      all += n;
    }
    return all ? (2 * both) / all : 0;
  }

  // commit returns the index of a commit by its tag or the beginning of its hash, -1 if unknown.
  function commit(text, commits) {
    if (!text) return -1;
    const tagged = commits.findIndex((c) => (c.tags || []).includes(text));
    if (tagged >= 0 || !/^[0-9a-f]{4,64}$/i.test(text)) return tagged;
    return commits.findIndex((c) => c.sha.startsWith(text.toLowerCase()));
  }

  // commitName returns the name of a commit in addresses: a tag, or enough of its hash.
  function commitName(i, commits) {
    const c = commits[i];
    return c ? (c.tags || [])[0] || c.sha.slice(0, 10) : null;
  }

  // option returns a flag with its value, quoted for a shell like reports.ShellFlag.
  function option(name, value) {
    return " --" + name + (value.startsWith("-") ? "=" : " ") + quote(value);
  }
  function quote(s) {
    if (/^[A-Za-z0-9_][\w./=,:+@%-]*$/.test(s)) return s;
    if (!odd.test(s)) return "'" + s.replace(/'/g, "'\\''") + "'";
    const escaped = [...s].map((c) => {
      if (c === "'" || c === "\\") return "\\" + c;
      return odd.test(c) ? [...new TextEncoder().encode(c)].map((b) => "\\" + b.toString(8).padStart(3, "0")).join("") : c;
    });
    return "$'" + escaped.join("") + "'";
  }
  const odd = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

  p.benchmarks = { find, nearest, commit, commitName, option, quote };
})(perftrack);
