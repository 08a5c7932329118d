// Profiles: #/profiles lists them, #/p/ID shows one as functions, call tree and flame graphs.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const kinds = { scopes: "Scopes", cpu: "CPU time", alloc: "Allocations" };
  const where = "A profile shows where the time goes, but not how much it changed: ";

  const name = (r) => [r.package && r.package !== r.target ? el("span", { class: "muted" }, r.package + " ") : null, el("bdi", null, r.benchmark || r.suite || r.target)];
  // A profiled commit may have no run, and then it is not in the list of commits.
  const commit = (i, hash, options) => (i >= 0 ? f.commit(i, options) : el("code", null, f.hash(hash)));
  const commits = (r) => !r.hash ? f.dash : [commit(r.commit, r.hash, { short: true }), r.baseHash ? [" against ", commit(r.base, r.baseHash, { short: true })] : null];

  p.page("profiles", {
    title: () => "Profiles",
    async render(main) {
      const runs = await p.load("runs");
      const rows = runs.profiles || [];
      p.append(main, el("h1", null, "Profiles"));
      if (!rows.length) {
        p.append(main, p.empty("No profile is stored yet. To profile the functions of a Go benchmark, with flame graphs:", "perftrack profile --bench NAME"),
          p.empty("To profile two commits side by side:", "perftrack profile --bench NAME --diff BASE HEAD"));
        return;
      }
      p.append(main, el("p", { class: "lead" }, "Time and memory by function, " + f.count(rows.length, "profile") + ", newest first. " + where, "the comparisons decide."),
        p.table({
          caption: "Profiles, newest first", rows, rowHref: (r) => p.href("p", [r.id]), columns: [
            { key: "name", title: "Benchmark or suite", sort: (r) => r.benchmark || r.suite || r.target, render: name },
            { key: "kind", title: "Kind", sort: true, render: (r) => kinds[r.kind] || r.kind },
            { key: "target", title: "Target", sort: true, fold: 2, render: (r) => el("bdi", null, r.target) },
            { key: "commit", title: "Commit", render: commits },
            { key: "time", title: "Taken", sort: true, fold: 3, first: "descending", render: (r) => f.date(r.time) },
          ],
        }));
    },
  });

  // signed formats a difference in the unit of a profile.
  const signed = (x, unit) => (x === null || x === undefined ? f.dash : x === 0 ? "0" : (x > 0 ? "+" : "−") + f.value(Math.abs(x), unit));
  const less = (x, y) => (x === null || y === null ? null : x - y);
  const tone = (d) => (d > 0 ? "worse" : d < 0 ? "better" : "");
  const share = (x, of) => (x === null || !of ? f.dash : f.percent(x / of));

  function functions(doc, two) {
    const columns = [
      { key: "name", title: doc.kind === "scopes" ? "Scope" : "Function", sort: true, render: (r) => p.callee(r.name) },
      { key: "self", title: "Own", align: "right", sort: true, first: "descending", render: (r) => p.inLine(f.value(r.self, doc.unit)) },
      { key: "share", title: "Share", align: "right", fold: two ? 2 : 0, sort: (r) => r.self, first: "descending", render: (r) => share(r.self, doc.total) },
      two ? { key: "base", title: "Own, base", align: "right", fold: 2, sort: (r) => r.selfBase, first: "descending", render: (r) => p.inLine(f.value(r.selfBase, doc.unit)) } : null,
      two ? { key: "difference", title: "Difference", align: "right", sort: (r) => Math.abs(less(r.self, r.selfBase)), first: "descending",
        render: (r) => el("span", { class: tone(less(r.self, r.selfBase)) }, p.inLine(signed(less(r.self, r.selfBase), doc.unit))) } : null,
      { key: "total", title: "With callees", align: "right", fold: 3, sort: true, first: "descending", render: (r) => p.inLine(f.value(r.total, doc.unit)) },
      doc.functions.some((r) => r.count !== null) ? { key: "count", title: "Calls", align: "right", fold: 2, sort: true, first: "descending", render: (r) => (r.count === null ? f.dash : f.commas(String(r.count))) } : null,
      doc.kind === "scopes" && doc.functions.some((r) => r.bytes !== null) ? { key: "bytes", title: "Own bytes", align: "right", fold: 3, sort: true, first: "descending", render: (r) => f.value(r.bytes, "B") } : null,
      doc.functions.some((r) => r.allocs !== null) ? { key: "allocs", title: "Own objects", align: "right", fold: 3, sort: true, first: "descending", render: (r) => p.objects(r.allocs) } : null,
    ].filter(Boolean);
    return [el("h2", null, doc.kind === "alloc" ? "Top allocators" : "Hot paths"),
      p.table({ caption: "Functions by their own cost", rows: doc.functions, columns, sort: { key: two ? "difference" : "self", direction: "descending" }, empty: "Nothing was sampled: use a longer --benchtime." })];
  }

  const sides = { head: "head", base: "base", difference: "difference" };
  function flames(doc) {
    if (!doc.flames || !doc.flames.length) return null;
    if (!document.querySelector("script[src]")) { // a single page
      return [el("h2", null, "Flame graphs"), p.empty("This page is a single file, and flame graphs are separate pages. To write them to a folder:", "perftrack report --format html -o DIR")];
    }
    const whats = [...new Set(doc.flames.map((g) => g.what))];
    return [el("h2", null, "Flame graphs"), el("ul", null, whats.map((what) => el("li", null, what + ": ",
      doc.flames.filter((g) => g.what === what).map((g, i) => [i ? " · " : "", el("a", { href: "flame/" + encodeURIComponent(g.file) }, !doc.baseHash && g.side === "head" ? "graph" : sides[g.side] || g.side)]))))];
  }

  // lead describes the profile, and the largest function.
  function lead(doc, two) {
    const first = doc.functions.slice().sort((x, y) => y.self - x.self)[0];
    const of = { scopes: "a run of the suite", cpu: "an operation", alloc: "an operation" }[doc.kind];
    return el("p", { class: "lead" }, kinds[doc.kind], " of ", of, " of ", name(doc), doc.hash ? [" at ", commits(doc)] : null,
      ": ", two ? [f.value(doc.baseTotal, doc.unit), " → "] : null, el("b", null, f.value(doc.total, doc.unit)),
      doc.samples ? [", of ", f.count(doc.samples, "sample")] : null,
      first && first.self > 0 ? [". The function with the largest own cost is ", p.callee(first.name), ", " + share(first.self, doc.total)] : null, ". ", where,
      el("a", { href: p.href("runs") }, "the comparisons"), " decide.");
  }

  p.page("p", {
    title: () => "Profile",
    async render(main, route) {
      await p.load("runs");
      const doc = await p.load("p/" + route.path[0]);
      const two = Boolean(doc.baseHash) && doc.baseTotal !== null;
      doc.functions = doc.functions || [];
      doc.calls = doc.calls || [];
      p.append(main, el("p", { class: "muted" }, el("a", { href: p.href("profiles") }, "Profiles")),
        el("h1", null, kinds[doc.kind] + ": ", el("bdi", null, doc.benchmark || doc.suite || doc.target)), lead(doc, two));
      for (const part of [flames(doc), functions(doc, two), p.calls(doc, two, signed)]) if (part) p.append(main, ...part.filter(Boolean));
      if (doc.notes && doc.notes.length) p.append(main, el("h2", null, "Notes"), el("ul", null, doc.notes.map((n) => el("li", null, p.words(n)))));
      const again = doc.kind === "scopes" ? "perftrack profile " + (doc.suite || "") : "perftrack profile --bench '" + doc.benchmark.replaceAll("'", "'\\''") + "'" + (doc.baseHash ? " --diff " + f.hash(doc.baseHash) + " " + f.hash(doc.hash) : " --rev " + f.hash(doc.hash));
      p.append(main, el("p", { class: "again" }, "To profile it again: ", p.copy(again.trim())));
    },
  });
})(perftrack);
