// #/compare: any two commits or runs. The trial that measured them side by side decides; without one, the
// page compares their unpaired runs.
"use strict";
(function (p) {
  const { el, format: f } = p;

  // choices returns the possible sides: measured commits, the newest first, and runs.
  function choices(runs) {
    const of = new Map();
    runs.forEach((r, place) => {
      r.place = place;
      if (!of.has(r.commit)) of.set(r.commit, []);
      of.get(r.commit).push(r);
    });
    const commits = [...of.keys()].filter((i) => i >= 0 && p.commits[i]).sort((x, y) => (p.commits[y].off ? 0 : 1) - (p.commits[x].off ? 0 : 1) || y - x);
    return { of, commits };
  }

  // find returns the side with a name: a commit by its hash or the beginning of it, a tag, or a run by its
  // id. It returns null for no name, or an error.
  function find(word, all, runs) {
    const text = (word || "").trim().split(/\s/)[0];
    if (!text) return null;
    const sideOf = (i, extra) => Object.assign({ commit: i, sha: p.commits[i] ? p.commits[i].sha : "", label: "", runs: all.of.get(i) || [] }, extra);
    const tagged = p.commits.findIndex((c) => (c.tags || []).includes(text));
    if (tagged >= 0) return sideOf(tagged, { label: text });
    if (/^[0-9a-f]{4,64}$/.test(text)) {
      const hits = all.commits.filter((i) => p.commits[i].sha.startsWith(text));
      if (hits.length === 1) return sideOf(hits[0]);
      if (hits.length > 1) return { error: text + " is ambiguous, because " + hits.length + " commits begin with it: give more digits." };
      const named = runs.filter((r) => r.id.startsWith(text));
      if (named.length === 1) return sideOf(named[0].commit, { run: named[0], label: "run " + f.hash(named[0].id), runs: named });
    }
    const known = p.commits.findIndex((c) => c.sha.startsWith(text) && text.length >= 4);
    return { error: known >= 0 ? "This site has no run of " + text + "." : "Nothing called " + text + " was measured here: give a commit, a tag or a run's id." };
  }

  const describe = (i) => {
    const c = p.commits[i];
    return f.hash(c.sha) + (c.tags && c.tags.length ? " " + c.tags.join(" ") : "");
  };

  function field(label, key, value, all, go) {
    const id = "choose-" + key;
    const input = el("input", { type: "search", id, list: id + "-list", value: value || "", placeholder: "Commit, tag or run", autocomplete: "off", spellcheck: "false", onchange: () => go({ [key]: input.value.trim().split(/\s/)[0] || null }) });
    const list = el("datalist", { id: id + "-list" }, all.commits.slice(0, 2000).map((i) => {
      const c = p.commits[i];
      return el("option", { value: (c.tags && c.tags[0]) || f.hash(c.sha), label: p.text([describe(i), f.date(c.time), c.subject, c.author].filter(Boolean).join(" · ").slice(0, 120)) });
    }));
    return el("div", { class: "choose" }, el("label", { for: id }, label), input, list);
  }

  // presets offers the usual bases of the chosen head, or of the newest commit.
  function presets(all, head) {
    const at = head && !head.error ? head.commit : all.commits[0];
    if (at === undefined || at < 0) return null;
    const bases = p.bases(p.commits, at, all.of);
    return bases.length ? el("p", { class: "presets" }, head && !head.error ? "Compare " : "The newest commit, ", p.format.commit(at, { short: true }), ", with ",
      bases.map(([words, i], k) => [k ? " or " : "", el("a", { href: p.href("compare", "", { base: f.hash(p.commits[i].sha), head: f.hash(p.commits[at].sha) }) }, words)]), ".") : null;
  }

  // sideBySide returns the comparisons of two commits, trials first.
  const sideBySide = (list, base, head) => list.filter((r) => r.base === base.commit && r.head === head.commit).sort((x, y) => y.trial - x.trial || y.time - x.time);

  function described(side) {
    if (!side) return null;
    if (side.error) return el("p", { class: "undecided" }, side.error);
    return el("p", null, p.format.commit(side.commit), " ", el("span", { class: "muted" }, [p.commits[side.commit] && p.commits[side.commit].author, p.commits[side.commit] && f.date(p.commits[side.commit].time),
      f.count(side.runs.length, "run")].filter(Boolean).join(", ")));
  }

  p.page("compare", {
    title: () => "Compare",
    async render(main, route) {
      const doc = await p.load("runs");
      const runs = doc.list || [], list = doc.comparisons || [];
      const all = choices(runs);
      const q = route.query;
      const [base, head] = [find(q.base, all, runs), find(q.head, all, runs)];
      const both = base && head && !base.error && !head.error;
      const found = both && !base.run && !head.run ? sideBySide(list, base, head) : [];
      if (found.length && q.unpaired !== "yes") {
        location.replace(p.href("c", found[0].key));
        return;
      }
      if (both && p.index.meta.live && !base.run && !head.run && q.unpaired !== "yes") {
        location.replace(p.href("c", f.hash(base.sha) + ".." + f.hash(head.sha)));
        return;
      }
      const go = (what) => p.setQuery(Object.assign({ show: null, open: null, unpaired: null }, what), {});
      const chooser = el("div", { class: "chooser" },
        field("Base", "base", q.base, all, go), el("button", { type: "button", class: "swap", "aria-label": "Swap sides", title: "Swap sides", onclick: () => go({ base: q.head || null, head: q.base || null }) }, "⇄"), field("Head", "head", q.head, all, go),
        both ? null : [el("div", { class: "described" }, described(base)), el("div", { class: "described" }, described(head))]);
      if (both) {
        const place = el("div");
        const d = await p.unpaired(base, head);
        p.comparisonView(place, d, route);
        place.firstChild.remove(); // the page has its heading already
        p.append(main, el("h1", null, "Compare"), chooser, place);
        if (found.length && found[0].trial) main.insertBefore(el("p", null, "They were measured side by side: ", el("a", { href: p.href("c", found[0].key) }, "the verdict of that trial"), "."), place);
        return;
      }
      p.append(main, el("h1", null, "Compare"), el("p", { class: "lead" }, "Choose two commits, tags or runs. If they were measured side by side, their trial decides; otherwise, the page shows both without a verdict."), chooser);
      p.append(main, presets(all, head));
      p.append(main, comparisons(list));
      if (!runs.length) p.clear(main, el("h1", null, "Compare"), p.beside(p.index.meta, "No run is stored yet."));
    },
  });

  // verdictCounts shows the verdicts of a comparison in a list.
  p.verdictCounts = function (row) {
    if (!row.trial) return el("span", { class: "muted" }, "unpaired, no verdict");
    if (!row.counts) return el("span", { class: "muted" }, "open it to see");
    const list = p.index.groups.filter((g) => g.verdict && row.counts[g.key]).map((g) => g.key);
    return el("span", { class: "counts" }, list.length ? list.map((v) => [p.state(v, f.commas(String(row.counts[v])) + " " + v), " "]) : el("span", { class: "muted" }, "no row has a verdict"),
      row.left ? el("span", { class: "undecided" }, "not everything was judged") : null);
  };

  // measured shows the time of a comparison; an import may have only the date of its commit.
  const measured = (r) => (r.time ? f.time(r.time) : p.commits[r.head] && p.commits[r.head].time ? "commit from " + f.date(p.commits[r.head].time) : "at an unknown time");

  function comparisons(list) {
    const trials = list.filter((r) => r.trial).length;
    return el("section", null, el("h2", null, "Comparisons"),
      el("p", { class: "muted" }, list.length ? (trials ? f.count(trials, "trial") + " measured side by side" : "No trial yet, which measures both sides side by side") +
        (list.length > trials ? (trials ? ", and " : "; ") + f.count(list.length - trials, "pair") + " of neighbouring commits with unpaired runs" : "") + ". The newest comes first." : null),
      list.length ? p.table({
        caption: "Comparisons", rows: list, virtual: false, sort: { key: "time", direction: "descending" },
        columns: [
          { key: "time", title: "Measured", sort: (r) => -list.indexOf(r), class: "nowrap", first: "descending", render: (r) => el("a", { href: p.href("c", r.key) }, measured(r)) },
          { key: "base", title: "Base", fold: 2, class: "nowrap", render: (r) => p.format.commit(r.base, { short: true }) },
          { key: "head", title: "Head", render: (r) => p.format.commit(r.head) },
          { key: "targets", title: "Target", fold: 1, class: "nowrap", render: (r) => (r.targets || []).join(", ") },
          { key: "counts", title: "Verdicts", sort: (r) => (r.counts ? r.counts.regressed || 0 : -1), first: "descending", render: p.verdictCounts },
        ],
      }) : p.beside(p.index.meta, "No two commits were measured side by side yet."));
  }
})(perftrack);
