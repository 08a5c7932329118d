// Models and kernels in the newest run of an engine: their speed, and where the time goes.
"use strict";
(function (p) {
  const { el, format: f } = p;

  const times = (x) => (x === null ? f.dash : f.fixed(x, 2) + "x");
  const rate = (x) => (x === null ? f.dash : f.value(x, "el/s"));

  function models(s) {
    return s.models.length ? p.table({
      caption: "Models", rows: s.models, columns: [
        { key: "name", title: "Model", sort: true, render: (m) => el("bdi", null, m.name) },
        { key: "parameters", title: "Parameters", align: "right", sort: true, fold: 3, render: (m) => (m.parameters ? f.commas(String(m.parameters)) : f.dash) },
        { key: "tokens", title: "tok/s", align: "right", sort: true, render: (m) => (m.tokens === null ? f.dash : f.commas(f.fixed(m.tokens, m.tokens < 100 ? 1 : 0))) },
        { key: "latency", title: "Per token", align: "right", sort: true, render: (m) => f.value(m.latency, "sec") },
        { key: "firstToken", title: "First token", align: "right", sort: true, fold: 2, render: (m) => f.value(m.firstToken, "sec") },
        { key: "bytes", title: "Memory per token", align: "right", sort: true, render: (m) => f.value(m.bytes, "B") },
        { key: "allocs", title: "Allocations per token", align: "right", sort: true, fold: 2, render: (m) => (m.allocs === null ? f.dash : f.commas(f.fixed(m.allocs, m.allocs < 10 ? 1 : 0))) },
        { key: "forward", title: "Forward pass", align: "right", sort: true, fold: 3, render: (m) => f.value(m.forward, "sec") },
      ],
    }) : null;
  }

  const parts = (list) => list.map((x) => ({ name: x.name, share: x.share, words: f.value(x.time, "sec") }));

  function forwards(s) {
    const known = s.models.filter((m) => m.layers.length);
    if (!s.models.length) return null;
    return [el("h3", null, "Where a forward pass spends its time"),
      known.length ? el("div", { class: "pair" }, known.map((m) => [
        p.shares([el("bdi", null, m.name), ", by layer"], parts(m.layers)), p.shares([el("bdi", null, m.name), ", by operation in all layers"], parts(m.operations))]))
        : p.empty(s.profile ? "This run did not measure the scopes within a forward pass. The engine's own profile has them:" : "Only a profile shows the parts of a forward pass:", "perftrack profile enhanced")];
  }

  function scaling(s, formula) {
    if (!s.scaling.length) return null;
    return [el("h3", null, "Scaling"), el("p", { class: "muted" }, formula + "."), p.table({
      caption: "Scaling between models", rows: s.scaling, columns: [
        { key: "from", title: "Models", render: (c) => [el("bdi", null, c.to), " / ", el("bdi", null, c.from)] },
        { key: "parameters", title: "Parameters", align: "right", render: (c) => times(c.parameters) },
        { key: "time", title: "Time per token", align: "right", render: (c) => times(c.time) },
        { key: "bytes", title: "Memory per token", align: "right", fold: 3, render: (c) => times(c.bytes) },
        { key: "efficiency", title: "Efficiency", align: "right", render: (c) => el("b", null, times(c.efficiency)) },
      ],
    })];
  }

  function kernels(s) {
    if (!s.kernels.length) return null;
    const best = Math.max(...s.kernels.map((k) => k.gflops || 0));
    const peak = s.peak === null ? "This machine's peak is unknown, so the bars are shares of the fastest kernel. A program can print the peak as peak-gflops, or reference.toml can list it."
      : ["The bars are shares of " + f.value(s.peak * 1e9, "FLOP/s") + ", the peak from ", el("bdi", null, s.source), s.source === "the program" ? " per core; for a kernel with several threads (such as _2T), multiplied by their number." : "."];
    const repeated = s.repeats.length ? el("p", { class: "muted" }, "They assume one operation per call. Calls of these kernels run them several times: ",
      s.repeats.map((r, i) => [i ? ", " : "", el("bdi", null, r.kernel), " " + f.fixed(r.times, 1)]), ".") : null;
    return [el("h3", null, "Kernels"), el("p", { class: "muted" }, peak), repeated, p.table({
      caption: "Kernels", rows: s.kernels, columns: [
        { key: "name", title: "Kernel", sort: true, render: (k) => el("bdi", null, k.name) },
        { key: "time", title: "Per call", align: "right", sort: true, fold: 3, render: (k) => f.value(k.time, "sec") },
        { key: "gflops", title: "GFLOPS", align: "right", sort: true, first: "descending", render: (k) => (k.gflops === null ? f.dash : f.fixed(k.gflops, k.gflops < 10 ? 2 : 1)) },
        { key: "share", title: s.peak === null ? "Of the fastest" : "Of the peak", sort: (k) => k.gflops, first: "descending",
          render: (k) => el("span", { class: "rated" }, s.peak === null ? p.share(k.gflops, best) : p.share(k.peak, 1), el("span", { class: "right" }, f.percent(s.peak === null ? k.gflops / best : k.peak))) },
        { key: "elements", title: "Elements per second", align: "right", sort: true, first: "descending", fold: 2, render: (k) => rate(k.elements) },
      ],
    })];
  }

  // lead describes the speed of the models.
  function lead(doc, runs) {
    const run = runs.list[doc.run];
    const fast = doc.suites.flatMap((s) => s.models).filter((m) => m.tokens !== null);
    return el("p", { class: "lead" }, fast.length ? fast.slice(0, 3).map((m, i) => [i ? "; " : "", el("bdi", null, m.name), " makes ", el("b", null, f.commas(f.fixed(m.tokens, m.tokens < 100 ? 1 : 0)) + " tok/s")]) : "Kernels without a model",
      ". From the newest run with models or kernels", run ? [", measured ", f.time(run.end || run.start), " at ", f.commit(run.commit), " (", el("a", { href: p.href("r", [run.id]) }, "the run"), ")"] : null,
      ". Later changes are in the ", el("a", { href: "#/trends" }, "trends"), ".");
  }

  p.page("models", {
    title: () => "Models",
    async render(main) {
      const [doc, runs] = await Promise.all([p.load("models"), p.load("runs")]);
      if (doc.run < 0 || !doc.suites.length) {
        p.clear(main, el("h1", null, "Models"), p.empty("No run has an inference engine's models or kernels. To fill this page, profile the built-in engine:", "perftrack profile enhanced"));
        return;
      }
      p.clear(main, el("h1", null, "Models"), lead(doc, runs), doc.suites.map((s) => el("section", null,
        el("h2", null, s.suite ? ["Suite ", el("bdi", null, s.suite)] : "Benchmarks", s.package ? el("span", { class: "muted" }, " ", el("bdi", null, s.package)) : null),
        models(s), forwards(s), scaling(s, doc.formula), kernels(s))));
    },
  });
})(perftrack);
