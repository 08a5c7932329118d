// The development of all benchmarks: changes since a release, a small picture of each, and the next
// measurements.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const t = p.trends, b = p.benchmarks;
  const few = 12; // entries of a list before the button for more

  function render(main, route) {
    const { index, commits } = p;
    if (!index.benchmarks.length) return p.clear(main, el("h1", null, "Trends"), p.empty("This branch has no measurements yet.", "perftrack run"));
    const measured = t.next(index, commits, f);
    p.clear(main, el("h1", null, "Trends"),
      el("p", { class: "lead" }, "How " + f.count(index.benchmarks.length, "benchmark") + " developed over ", f.count(commits.filter((c) => !c.off).length, "measured commit") + ", and what to measure next. Each picture opens the whole history."),
      changes(route), trajectory(index), next(measured), pictures(index));
  }

  // changes lists the changes since a commit, chosen by tag or hash.
  function changes(route) {
    const { index, commits } = p;
    const asked = route.query.since || "";
    const from = asked ? b.commit(asked, commits) : 0;
    const tags = commits.map((c, i) => [i, (c.tags || [])[0]]).filter(([i, tag]) => tag && !commits[i].off).reverse();
    const known = tags.some(([, tag]) => tag === asked);
    const go = (value) => p.setQuery({ since: value || null }, { replace: true });
    const controls = el("div", { class: "controls" },
      tags.length ? el("label", { class: "pick" }, el("span", null, "Since release"), el("select", { id: "since-tag", onchange: (e) => go(e.target.value) },
        el("option", { value: "", selected: !known }, "the first run"), tags.slice(0, 200).map(([, tag]) => el("option", { value: tag, selected: tag === asked }, tag)))) : null,
      el("form", { class: "pick", onsubmit: (e) => { e.preventDefault(); go(e.target.querySelector("input").value.trim()); } },
        el("label", { for: "since-commit" }, tags.length ? "or commit" : "Since commit"), el("input", { id: "since-commit", type: "search", value: known ? "" : asked, placeholder: "tag or hash, then Enter", spellcheck: "false" })));
    const head = [el("h2", null, "Changes since"), controls];
    if (from < 0) return [head, el("p", { class: "undecided" }, "No measured commit has the tag or hash ", el("code", null, asked), ".")];
    const list = t.since(index, from);
    const blind = index.benchmarks.reduce((n, row) => n + row.lines.filter((l) => l.state === "too-few").length, 0);
    const lines = index.benchmarks.reduce((n, row) => n + row.lines.length, 0);
    const not = blind ? " " + f.count(blind, "line has", "lines have") + " too few runs to tell." : "";
    if (!list.length) return [head, el("p", null, "None of the " + f.count(lines, "line") + " has a step since then." + not)];
    return [head, el("p", null, "The last step of each line since then: " + list.length + " of " + f.count(lines, "line") + ", worst first." + not), more(list, (rows) => p.table({
      caption: "Last steps since the chosen commit", rows, columns: [
        { key: "name", title: "Benchmark", width: "24%", render: (r) => el("a", { href: p.href("b", r.row.path, { unit: r.line.unit }), dir: "auto" }, r.row.path) },
        { key: "unit", title: "Unit", sort: (r) => r.line.unit, width: "8em", fold: 3, render: (r) => r.line.unit },
        { key: "size", title: "Change", sort: (r) => r.size, first: "descending", align: "right", width: "10em", render: (r) => p.rows.changeOf(r.line) },
        { key: "state", title: "State", sort: (r) => r.line.state, width: "10em", render: (r) => p.state(r.line.state) },
        { key: "at", title: "Up to", sort: (r) => r.line.changeAt, fold: 2, render: (r) => f.commit(r.line.changeAt) },
        { key: "env", title: "Environment", fold: 1, render: (r) => el("span", { dir: "auto" }, (index.environments[r.line.env] || { label: f.dash }).label) },
      ],
    }))];
  }

  // more shows the beginning of a list, and on request all of it.
  function more(list, show) {
    const node = el("div", null, show(list.slice(0, few)));
    if (list.length > few) node.append(el("button", { type: "button", onclick: () => p.clear(node, show(list)) }, "Show all " + f.commas(String(list.length))));
    return node;
  }

  // trajectory shows the speed of kernels over time. A rate that follows from the time is not in the index:
  // it comes from the histories, on request.
  function trajectory(index) {
    const counted = index.benchmarks.flatMap((row) => row.lines.filter((l) => t.flops.test(l.unit)).map((line) => ({ row, line })));
    const node = el("div", null, counted.length ? kernels(counted) : null);
    p.load("models").then((doc) => {
      const rows = t.kernelRows(index, doc).filter((row) => !counted.some((c) => c.row === row));
      if (!rows.length || !node.isConnected) return;
      const more_ = el("details", { class: "chart-data", ontoggle: () => more_.open && open(more_, rows) }, el("summary", null, "Show the history of " + f.count(rows.length, "kernel")));
      node.append(counted.length ? "" : el("h2", null, "Kernel speed"), more_);
    }, () => {}); // no kernels to show then
    return node;
  }

  async function open(node, rows) {
    if (node.children.length > 1) return;
    const wait = el("p", { class: "muted" }, "Loading…");
    node.append(wait);
    const found = [];
    for (const row of rows) {
      try {
        const doc = await p.load("b/" + row.id);
        const line = doc.lines.find((l) => t.flops.test(l.unit) && !l.branch);
        if (line) found.push({ row, line: t.outline(line) });
      } catch {
        // the page of the benchmark reports the error
      }
    }
    wait.replaceWith(found.length ? kernels(found) : el("p", null, "No kernel has a history in GFLOPS on this branch."));
  }

  function kernels(list) {
    list.sort((x, y) => (y.line.level || 0) - (x.line.level || 0));
    const fastest = list[0].line.level || 1;
    return el("div", null, el("p", null, "Floating-point operations per second, fastest first; more is better."), more(list, (rows) => p.table({
      caption: "Kernels by speed", rows, columns: [
        { key: "name", title: "Kernel", render: (r) => el("a", { href: p.href("b", r.row.path, { unit: r.line.unit }), dir: "auto" }, r.row.path) },
        { key: "level", title: "Now", sort: (r) => r.line.level, first: "descending", align: "right", width: "9em", render: (r) => f.value(r.line.level, r.line.unit) },
        { key: "bar", title: "Of the fastest", width: "10em", fold: 2, render: (r) => el("meter", { min: 0, max: 1, value: (r.line.level || 0) / fastest, "aria-label": f.percent((r.line.level || 0) / fastest) }) },
        { key: "spark", title: "Trajectory", width: "12em", render: (r) => p.spark(r.line) },
        { key: "change", title: "Since the first", sort: (r) => r.line.since, align: "right", width: "9em", fold: 3, render: (r) => (r.line.since === undefined ? f.dash : f.change(r.line.since, 1, r.line.unit)) },
      ],
    })));
  }

  function next(list) {
    const head = el("h2", null, "To measure next");
    if (!list.length) return [head, el("p", null, "Every benchmark was measured recently, has enough runs to find a step, and differs from run to run by less than the threshold.")];
    return [head, Object.entries(t.kinds).map(([kind, title]) => {
      const of = list.filter((entry) => entry.kind === kind);
      if (!of.length) return null;
      return [el("h3", null, title + " (" + of.length + ")"), el("ul", { class: "next" }, t.grouped(of, p.commits, p.index.meta).map((g) => el("li", null,
        g.list.length > 1 ? el("details", null, el("summary", null, f.count(g.list.length, "benchmark") + " of ", el("span", { dir: "auto" }, g.target)), el("ul", null, g.list.map((r) => el("li", null, named(r))))) : named(g.list[0]),
        p.copy(g.command))))];
    })];
  }
  const named = (r) => [el("a", { href: p.href("b", r.row.path), dir: "auto" }, r.row.path), " ", el("span", { class: "muted" }, r.why)];

  // pictures shows a card for each benchmark by package; a package is built when it comes into sight.
  function pictures(index) {
    const groups = new Map();
    for (const row of index.benchmarks) {
      const name = [row.target, row.package].filter(Boolean).join(" · ");
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(row);
    }
    const seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        p.clear(target, target.rows.map(card));
        target.style.minHeight = "";
      }
    }, { rootMargin: "600px" });
    p.leave(() => seen.disconnect());
    return [el("h2", null, "All histories"), [...groups].map(([name, rows]) => {
      const parts = [];
      for (let i = 0; i < rows.length; i += 60) {
        const grid = el("div", { class: "cards" });
        grid.rows = rows.slice(i, i + 60);
        grid.style.minHeight = Math.ceil(grid.rows.length / 4) * 84 + "px";
        seen.observe(grid);
        parts.push(grid);
      }
      return [el("h3", { dir: "auto" }, name, " ", el("span", { class: "muted" }, "(" + rows.length + ")")), parts];
    })];
  }

  function card(row) {
    const [line] = row.lines;
    return el("a", { class: "card", href: p.href("b", row.path) }, el("span", { class: "card-name", dir: "auto", title: p.text(row.name) }, row.name),
      line ? p.spark(line) : null,
      line ? el("span", { class: "card-foot" }, el("span", null, f.value(line.level, line.unit)), p.state(line.state, line.change === null ? null : f.change(line.change, line.better, line.unit))) : el("span", { class: "muted" }, "not measured on this branch"));
  }

  p.page("trends", { title: () => "Trends", render });
})(perftrack);
