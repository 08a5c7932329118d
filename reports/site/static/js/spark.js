// Spark lines: histories of the size of a word, as SVG in the colours of the theme.
"use strict";
(function (p) {
  const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const top = digits.length - 1;

  // values decodes a spark line: numbers from 0 to 1, null for no value.
  function values(text) {
    return Array.from(text || "", (c) => {
      const i = digits.indexOf(c);
      return i < 0 ? null : i / top;
    });
  }

  const middle = (list) => {
    const known = list.filter((v) => v !== null).sort((a, b) => a - b);
    return known.length ? known[known.length >> 1] : null;
  };

  // words describe the picture.
  function words(line) {
    const f = p.format;
    const steps = (line.marks || []).map((m) => (m[1] > 0 ? "worse" : m[1] < 0 ? "better" : "other"));
    const said = ["worse", "better", "other"].map((w) => [w, steps.filter((s) => s === w).length]).filter((x) => x[1])
      .map(([w, n]) => f.count(n, "step") + (w === "other" ? "" : " for the " + w));
    return f.count(line.runs, "run") + (line.runs < 2 ? "" : said.length ? ", " + said.join(", ") : ", no step");
  }

  // spark draws a line of the index: values, levels and steps.
  p.spark = function (line) {
    const points = values(line.spark);
    const w = 120, h = 24, pad = 3;
    const n = Math.max(points.length, 2);
    const x = (i) => pad + ((w - 2 * pad) * (points.length === 1 ? 0.5 : i / (n - 1)));
    const flat = points.every((v) => v === null || v === points.find((u) => u !== null));
    const y = (v) => (flat ? h / 2 : h - pad - v * (h - 2 * pad));
    const at = (i, v) => x(i).toFixed(1) + " " + y(v).toFixed(1);
    const svg = p.svg("svg", { class: "spark", viewBox: "0 0 " + w + " " + h, role: "img", "aria-label": words(line), preserveAspectRatio: "none" });

    let path = "";
    points.forEach((v, i) => {
      if (v !== null) path += (i > 0 && points[i - 1] !== null ? "L" : "M") + at(i, v);
    });
    const marks = (line.marks || []).filter((m) => m[0] >= 0 && m[0] < points.length);
    for (const [i, way] of marks) {
      const place = x(i - 0.5).toFixed(1);
      svg.append(p.svg("path", { class: "step " + (way > 0 ? "worse" : way < 0 ? "better" : "undecided"), d: "M" + place + " 0V" + h }));
    }
    if (points.length > 3) {
      let levels = "";
      const cuts = [0, ...marks.map((m) => m[0]), points.length];
      for (let k = 0; k + 1 < cuts.length; k++) {
        const level = middle(points.slice(cuts[k], cuts[k + 1]));
        if (level !== null) levels += "M" + at(cuts[k], level) + "H" + x(cuts[k + 1] - 1).toFixed(1);
      }
      svg.append(p.svg("path", { class: "level", d: levels }));
    }
    if (path) svg.append(p.svg("path", { class: "trace", d: path }));
    const last = points.findLastIndex((v) => v !== null);
    if (last >= 0) svg.append(p.svg("circle", { class: "last", cx: x(last).toFixed(1), cy: y(points[last]).toFixed(1), r: 2.2 }));
    return svg;
  };
  p.sparkValues = values;
  p.sparkWords = words;
})(perftrack);
