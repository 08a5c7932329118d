// The limits of perftrack.toml beside the newest values.
"use strict";
(function (p) {
  const el = p.el;
  const f = p.format;
  const worst = { missed: 0, undecided: 1, met: 2 };
  const tone = { missed: "worse", undecided: "undecided", met: "better" };

  function factor(l) {
    if (l.factor === null || l.factor === undefined) return f.dash;
    const x = l.factor > 1 ? l.factor : 1 / l.factor;
    return x.toPrecision(3).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "") + (l.factor > 1 ? "x to go" : "x to spare");
  }

  function name(l) {
    const b = p.index.benchmarks[l.benchmark];
    return b ? el("a", { class: "name", href: p.href("b", b.path), dir: "auto" }, f.short(b.name, 80)) : el("span", { class: "name", dir: "auto" }, f.short(p.text(l.name), 80));
  }

  // limits returns the table, folded unless a limit is missed; null without limits.
  p.limits = function (index) {
    const all = (index.limits || []).slice().sort((a, b) => worst[a.state] - worst[b.state]);
    if (!all.length) return null;
    const said = ["missed", "undecided", "met"].map((s) => [s, all.filter((l) => l.state === s).length]).filter(([, n]) => n > 0).map(([s, n]) => n + " " + s);
    const table = p.table({
      caption: "Limits", rows: all, columns: [
        { key: "name", title: "Of", render: name },
        { key: "value", title: "Now", align: "right", render: (l) => f.value(l.value, l.unit) },
        { key: "target", title: "Target", render: (l) => f.short(p.text(l.target), 40) },
        { key: "factor", title: "Factor", align: "right", fold: 2, render: factor },
        { key: "state", title: "Result", render: (l) => el("span", { class: tone[l.state] || null }, l.state + (l.needs && l.state === "undecided" ? ", needs " + f.count(l.needs, "sample") : "")) },
      ],
    });
    return el("details", { class: "limits", open: all[0].state === "missed" || null }, el("summary", null, f.count(all.length, "limit") + ": " + said.join(", ")), table);
  };
})(perftrack);
