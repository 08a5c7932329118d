// Small plots of few values over calibrations, trials or releases. A missing value breaks a line. A plot
// stands above a table of its values.
"use strict";
(function (p) {
  const { el, svg } = p;
  const left = 58;
  const right = 36;
  const top = 10;
  const bottom = 24;

  // ticks returns about n round numbers within a range.
  function ticks(lo, hi, n) {
    const rough = (hi - lo) / n;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((x) => x * unit).find((x) => x >= rough) || 10 * unit;
    const out = [];
    for (let x = Math.ceil(lo / step) * step; x <= hi + step / 1e6; x += step) out.push(Math.abs(x) < step / 1e6 ? 0 : x);
    return out;
  }

  // plot draws series over the indices 0 to n-1: {label, labels: [text], series: [{name, values, tone}],
  // format, rule: {value, name}, zero: the axis begins at 0, height, href(i)}.
  p.plot = function (options) {
    const frame = el("div", { class: "plot-frame" });
    const series = options.series.filter((s) => s.values.some(known));
    const node = el("figure", { class: "plot" },
      el("figcaption", null, options.label, el("span", { class: "legend" }, series.map((s) =>
        el("span", { class: "key" }, el("span", { class: "swatch " + s.tone, "aria-hidden": "true" }), el("bdi", null, s.name))),
      options.rule ? el("span", { class: "key" }, el("span", { class: "swatch rule", "aria-hidden": "true" }), options.rule.name) : null)), frame);
    frame.style.height = (options.height || 180) + "px"; // so that drawing changes no size
    let width = 0;
    const watch = new ResizeObserver(() => {
      if (frame.clientWidth === width) return;
      width = frame.clientWidth;
      p.clear(frame, drawing(options, series, Math.max(width, 240)));
    });
    watch.observe(frame);
    p.leave(() => watch.disconnect());
    return node;
  };

  const known = (x) => typeof x === "number" && Number.isFinite(x);

  function drawing(options, series, width) {
    const height = options.height || 180;
    const n = options.labels.length;
    const all = series.flatMap((s) => s.values).filter(known).concat(options.rule && known(options.rule.value) ? [options.rule.value] : []);
    let lo = options.zero ? Math.min(0, ...all) : Math.min(...all);
    let hi = Math.max(...all);
    if (!(hi > lo)) [lo, hi] = [options.zero ? 0 : lo - (Math.abs(lo) || 1) / 10, hi + (Math.abs(hi) || 1) / 10];
    const pad = (hi - lo) * 0.06;
    [lo, hi] = [options.zero && lo === 0 ? 0 : lo - pad, hi + pad];
    const x = (i) => left + (n < 2 ? 0.5 : i / (n - 1)) * (width - left - right);
    const y = (v) => top + (1 - (v - lo) / (hi - lo)) * (height - top - bottom);
    const grid = ticks(lo, hi, 4).map((v) => [
      svg("line", { class: v === 0 ? "axis" : "grid", x1: left, x2: width - right, y1: y(v), y2: y(v) }),
      svg("text", { class: "tick", x: left - 8, y: y(v) + 4, "text-anchor": "end" }, options.format(v)),
    ]);
    const each = Math.max(1, Math.ceil((n * 92) / (width - left - right)));
    const labels = options.labels.map((text, i) => ((n - 1 - i) % each ? null
      : svg("text", { class: "tick", x: x(i), y: height - 6, "text-anchor": "middle" }, text)));
    const rule = options.rule && known(options.rule.value)
      ? svg("line", { class: "rule", x1: left, x2: width - right, y1: y(options.rule.value), y2: y(options.rule.value) }) : null;
    const words = options.label + ": " + series.map((s) => {
      const values = s.values.filter(known);
      return s.name + " from " + options.format(values[0]) + " to " + options.format(values.at(-1));
    }).join("; ");
    return svg("svg", { width, height, viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": p.text(words) },
      grid, rule, labels, series.map((s) => line(s, options, x, y)));
  }

  function line(s, options, x, y) {
    let path = "";
    s.values.forEach((v, i) => {
      if (known(v)) path += (i > 0 && known(s.values[i - 1]) ? "L" : "M") + x(i).toFixed(1) + " " + y(v).toFixed(1);
    });
    const dots = s.values.map((v, i) => {
      if (!known(v)) return null;
      const dot = svg("circle", { class: "dot", cx: x(i), cy: y(v), r: 3 },
        svg("title", null, s.name + ", " + options.labels[i] + ": " + options.format(v)));
      const href = options.href && options.href(i);
      return href ? svg("a", { href, "aria-label": p.text(s.name + ", " + options.labels[i]) }, dot) : dot;
    });
    return svg("g", { class: "series " + s.tone }, svg("path", { d: path }), dots);
  }

  // shares draws parts of a whole as one bar with a legend: {name, share, words}. It joins small parts at
  // the end.
  p.shares = function (label, parts) {
    const most = 9;
    let shown = parts;
    if (parts.length > most) {
      const rest = parts.slice(most - 1);
      shown = parts.slice(0, most - 1).concat([{ name: p.format.count(rest.length, "other"), share: rest.reduce((sum, x) => sum + x.share, 0), words: "" }]);
    }
    const tone = (i) => (i === most - 1 && shown !== parts ? "rest" : "c" + (i % 8));
    return el("figure", { class: "shares" }, el("figcaption", null, label),
      el("div", { class: "whole", "aria-hidden": "true" }, shown.map((s, i) =>
        el("span", { class: "part " + tone(i), title: p.text(s.name) + " " + p.format.percent(s.share), style: { width: Math.max(0, 100 * s.share) + "%" } }))),
      el("ul", null, shown.map((s, i) => el("li", null, el("span", { class: "swatch " + tone(i), "aria-hidden": "true" }),
        el("bdi", { class: "name" }, s.name), el("span", { class: "share" }, p.format.percent(s.share)), el("span", { class: "muted" }, s.words)))));
  };

  // share is a bar in a cell, relative to the largest value.
  p.share = (x, of) => el("span", { class: "cellbar", "aria-hidden": "true" },
    el("span", { style: { width: (known(x) && of > 0 ? Math.min(100, (100 * x) / of) : 0) + "%" } }));

  // choose is a row of buttons, one of them pressed: options are [value, word, count].
  p.choose = (label, options, chosen, choose) => el("div", { class: "choose", role: "group", "aria-label": label },
    options.map(([value, word, count]) => el("button", {
      type: "button", id: "choose-" + label.toLowerCase().replace(/[^a-z]/g, "") + "-" + value, "aria-pressed": String(value === chosen), onclick: () => choose(value),
    }, word, count === undefined ? null : el("span", { class: "count" }, String(count)))));

  // pick is a list to pick from, or null without a choice.
  p.pick = (label, options, chosen, choose) => (options.length < 2 ? null
    : el("label", { class: "pick" }, label + " ", el("select", { id: "pick-" + label.toLowerCase(), onchange: (e) => choose(e.target.value) },
      options.map(([value, word]) => el("option", { value, selected: value === chosen }, word)))));
})(perftrack);
