// The overview: the current state, and every benchmark in one table.
"use strict";
(function (p) {
  const el = p.el;
  const f = p.format;
  let made = null; // entries of the index

  function title(b, stem) {
    const slash = stem ? -1 : b.name.indexOf("/");
    return slash < 0 ? b.name : [el("span", { class: "function" }, b.name.slice(0, slash + 1)), el("span", { class: "values" }, b.name.slice(slash + 1))];
  }

  // below the name on a narrow page: the contents of the hidden columns.
  function below(row) {
    const change = known(row.line.change) || row.line.changeAt >= 0;
    return el("span", { class: "below" }, p.state(row.line.state), change ? [" ", changeOf(row.line)] : null, " · ", f.value(row.line.level, row.line.unit));
  }

  function changeOf(line) {
    const tone = p.rows.worse(line) ? "worse" : !line.change || !line.better ? "" : line.change * line.better < 0 ? "worse" : "better";
    const quiet = line.state === "accepted" || line.state === "recovered";
    return el("span", { class: "change " + (quiet ? "muted" : tone) }, p.rows.changeOf(line));
  }

  const tags = (row) => [row.lost ? el("span", { class: "tag", title: "Missing from its target's newest run" }, "lost") : null, row.stale ? el("span", { class: "tag", title: "Not measured at the newest 10 commits" }, "stale") : null];

  function nameCell(item, toggle) {
    if (item.heading !== undefined) {
      return [el("span", { class: "package", dir: "auto", title: p.text(item.heading) }, item.of.target && item.of.package ? [el("span", { class: "target" }, item.of.target), " "] : null, [item.of.package || item.of.target, item.of.suite, item.of.scope ? "scopes" : ""].filter(Boolean).join(" ") || "no package"),
        el("span", { class: "count" }, item.worse ? [el("span", { class: "worse" }, item.worse + " worse"), " of " + item.count] : String(item.count))];
    }
    const row = item.row;
    if (item.members) {
      return [el("button", { type: "button", class: "fold", "aria-expanded": String(item.open), onclick: () => toggle(row.stem), title: p.text(row.stem) },
        el("span", { class: "chevron", "aria-hidden": "true" }), el("span", { class: "name" }, row.stem), el("span", { class: "count" }, String(item.members.length), el("span", { class: "unseen" }, " benchmarks")),
        p.rows.telling(row.line.state) && p.rows.values(row.b.name) ? el("span", { class: "worst muted" }, "worst: " + p.rows.values(row.b.name)) : null),
        " ", el("a", { class: "muted", href: p.href("family", "", { of: row.package, stem: row.stem }), "aria-label": "Chart of " + p.text(row.stem) }, "chart"),
      below(row)];
    }
    return [el("a", { class: "row name" + (item.inside ? " inside" : ""), href: p.href("b", row.b.path), title: p.text(row.b.name.slice(0, 400)) }, title(row.b, !item.inside)), tags(row), below(row)];
  }

  function levelCell(line) {
    const half = known(line.lo) && known(line.hi) && line.level ? Math.max(line.hi - line.level, line.level - line.lo) / Math.abs(line.level) : null;
    const level = f.value(line.level, line.unit);
    if (half === null && level.length > 9) return el("span", { class: "level" }, level); // the unit of another tool may be a word
    return [el("span", { class: "level" }, level), el("span", { class: "half muted" }, half === null ? "" : half === 0 ? "exact" : "± " + f.percent(half))];
  }
  const known = (x) => x !== null && x !== undefined;

  function changeCell(line) {
    if (!known(line.change) && !(line.changeAt >= 0)) return el("span", { class: "muted" }, f.dash);
    const c = p.commits[line.changeAt];
    return [changeOf(line), c ? [" ", el("span", { class: "when muted" }, f.date(c.time)), " ", f.commit(line.changeAt, { short: true })] : null];
  }

  // stateCell shows the state of a row, and for a folded row how many are as bad.
  function stateCell(item) {
    const state = item.row.line.state;
    const n = (item.members || []).filter((m) => m.line.state === state).length;
    return p.state(state, n > 1 && p.rows.telling(state) ? n + " " + state : undefined);
  }

  function columns(toggle) {
    const cell = (fn) => (item) => (item.row ? fn(item.row) : null);
    return [
      { key: "name", title: "Benchmark", sort: true, class: "names", render: (item) => nameCell(item, toggle) },
      { key: "spark", title: "History", class: "sparks", width: "var(--w-spark)", render: cell((r) => p.spark(r.line)) },
      { key: "level", title: "Level", sort: true, first: "descending", align: "right", width: "var(--w-level)", fold: 2, render: cell((r) => levelCell(r.line)) },
      { key: "change", title: "Last change", sort: true, first: "descending", width: "var(--w-change)", fold: 2, class: "changes", render: cell((r) => changeCell(r.line)) },
      { key: "state", title: "State", sort: true, width: "152px", fold: 3, render: (item) => (item.row ? stateCell(item) : null) },
      { key: "allocs", title: "Allocs", sort: true, first: "descending", align: "right", width: "76px", fold: 1, render: cell((r) => f.value(r.allocs, "allocs/op")) },
      { key: "noise", title: "Noise", sort: true, first: "descending", align: "right", width: "76px", fold: 1, render: cell((r) => f.percent(r.line.noise)) },
    ];
  }

  function empty(main, index) {
    p.clear(main, el("h1", null, "Overview"), p.empty("The database has no runs of this repository. Measure the benchmarks at this commit, then write the site again:", "perftrack run"));
    return index;
  }

  function render(main) {
    const index = p.index;
    if (!index.benchmarks.length) return empty(main, index);
    made = made || p.rows.entries(index);
    const v = p.rows.view(p.route.query);
    const status = el("p", { class: "muted shown", "aria-live": "polite" });
    let waiting = 0;

    // The address follows the view. It waits while the user types, since browsers limit changes.
    const address = (later) => {
      clearTimeout(waiting);
      if (later) waiting = setTimeout(address, 250);
      else p.setQuery(p.rows.query(v), { replace: true, quiet: true });
    };
    p.leave(() => clearTimeout(waiting));

    const toggle = (stem) => {
      if (!v.open.delete(stem)) v.open.add(stem);
      const at = document.activeElement.closest("tr[data-i]");
      update();
      if (at) {
        const again = table.reveal(Number(at.dataset.i));
        if (again) again.querySelector("button, a").focus({ preventScroll: true });
      }
    };
    const table = p.table({
      caption: "Benchmarks", class: "overview", columns: columns(toggle), rows: [], virtual: true,
      heading: (item) => item.heading !== undefined, rowClass: (item) => (item.heading !== undefined ? "heading" : (item.inside ? "member" : "") + (p.rows.worse(item.row.line) ? " bad" : "")),
      sort: v.sort ? { key: v.sort, direction: v.dir || "ascending" } : null, empty: "No benchmark matches these filters.",
      onSort(key, direction) {
        v.sort = key;
        v.dir = direction;
        update();
      },
    });
    const filters = p.filters(index, v, made, update, () => address());

    function update(later) {
      const { rows, counts } = p.rows.select(made, v, index.environments);
      filters.update(counts, rows.length);
      status.textContent = rows.length === made.length ? f.count(made.length, "benchmark") : rows.length + " of " + f.count(made.length, "benchmark");
      table.update(p.rows.items(rows, v));
      address(later);
    }

    p.clear(main, el("h1", { class: "unseen" }, "Overview of " + f.short(p.text(index.meta.title || "this repository"), 80)), p.now(index, made), p.limits(index), filters.node, status, table);
    update();
  }

  p.page("overview", { title: () => "Overview", render });
})(perftrack);
