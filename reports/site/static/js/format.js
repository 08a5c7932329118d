// Numbers for people. A value has the digits of the terminal (package benchunit and reports.ScaleFor), a
// change the words of the pull request's comment.
"use strict";
(function (p) {
  const dash = "—";
  const decimal = [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3], ["", 1], ["m", 1e-3], ["µ", 1e-6], ["n", 1e-9]];
  const binary = [["Ti", 2 ** 40], ["Gi", 2 ** 30], ["Mi", 2 ** 20], ["Ki", 2 ** 10], ["", 1]];
  const known = (x) => typeof x === "number" && Number.isFinite(x);

  // fixed is toFixed with ties to even, as in Go; toFixed rounds them away from zero.
  function fixed(x, digits) {
    const text = x.toFixed(digits);
    const long = Math.abs(x).toFixed(Math.min(digits + 30, 100));
    const cut = long.length - (Math.min(digits + 30, 100) - digits);
    if (!/^50*$/.test(long.slice(cut)) || digits > 60) return text;
    const down = long.slice(0, cut).replace(/\.$/, "");
    if (Number(down.at(-1)) % 2) return text;
    return (x < 0 ? "-" : "") + down;
  }

  const exponential = (x) => x.toExponential(3).replace(/e([+-])(\d)$/, "e$10$2");
  const numerator = (unit) => unit.split("/")[0];
  const isRatio = (unit) => unit.endsWith(" ratio");
  const prefixed = (unit) => /^[KMGT]FLOPS?$/.test(numerator(unit));

  // isBinary reports whether a unit uses powers of two: bytes above the line.
  function isBinary(unit) {
    let below = false;
    for (const token of unit.split(/([*/])|[-\s]+/)) {
      if (token === "*") below = false;
      else if (token === "/") below = true;
      else if (!below && (token === "B" || token === "MB" || token === "bytes")) return true;
    }
    return false;
  }

  // scale returns {digits, factor, prefix} for values, with at least four significant digits for each.
  function scale(unit, values) {
    const sizes = values.filter(known).map(Math.abs).filter((x) => x > 0);
    const least = sizes.length ? Math.min(...sizes) : 0;
    if (prefixed(unit) || isRatio(unit)) {
      const digits = 3 - Math.floor(Math.log10(least || 1));
      return { digits: Math.min(Math.max(digits, 0), 10), factor: 1, prefix: "" };
    }
    if (!least) return { digits: 3, factor: 1, prefix: "" };
    const bytes = isBinary(unit);
    const factors = bytes ? binary : decimal;
    for (const [prefix, factor] of factors) {
      const x = least / factor;
      if (x >= 99.995) return { digits: 1, factor, prefix };
      if (x >= 9.9995) return { digits: 2, factor, prefix };
      if (x >= 0.99995) return { digits: 3, factor, prefix };
    }
    const [prefix, factor] = factors.at(-1);
    let digits = 3;
    for (let bound = 0.99995; least / factor < bound && digits < 10; bound /= 10) digits++;
    return { digits, factor, prefix };
  }

  // on formats x on a scale, as in the terminal: "52.00µ".
  function on(s, x) {
    if (!known(x)) return dash;
    if (Math.abs(x) >= 1e18 || Math.abs(x) / s.factor >= 1e15) return exponential(x);
    return fixed(x / s.factor, s.digits) + s.prefix;
  }

  const commas = (text) => text.replace(/^(-?\d+)/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));

  // unitOf returns a unit as it follows a number and its prefix: s for sec/op, B for B/op.
  function unitOf(unit) {
    if (isRatio(unit)) return "x";
    const short = unit.replace(/^(.*-)?sec(?=\/|$)/, "s").replace(/\/op$/, ""); // max-sec/op is in seconds too
    return short === "allocs" ? "" : short;
  }

  // A prefix is joined with a sign (µs, KiB, GFLOPS) and separated from a word: 1.237 M requests/s.
  const isSign = (short) => /^(s|B|MB|b|x|Hz|J|W|[KMGT]?FLOPS?)?(\/.*)?$/.test(short);
  const behind = (prefix, unit) => (isSign(unitOf(unit)) ? prefix + unitOf(unit) : (prefix + " " + unitOf(unit)).trim());

  // value formats a number with its unit: "52.00 µs", "3.906 KiB", "12" allocations.
  function value(x, unit) {
    if (!known(x)) return dash;
    if (Number.isInteger(x) && Math.abs(x) < 1e15 && !isRatio(unit) && !prefixed(unit) && (unit === "allocs/op" || (isBinary(unit) ? Math.abs(x) < 1024 : x === 0))) {
      return (commas(String(x)) + " " + unitOf(unit)).trim();
    }
    const s = scale(unit, [x]);
    const text = on(s, x);
    const number = text.endsWith(s.prefix) ? text.slice(0, text.length - s.prefix.length) : text;
    const prefix = text.length > number.length ? s.prefix : "";
    return (commas(number) + " " + behind(prefix, unit)).trim();
  }

  // beside is the unit beside an axis, where a long word does not fit.
  const beside = (prefix, unit) => (isSign(unitOf(unit)) || unitOf(unit).length < 7 ? behind(prefix, unit) : prefix);

  const kinds = { __proto__: null, sec: "slow", s: "slow", ms: "slow", us: "slow", "µs": "slow" };

  // kind returns the kind of a unit: time, rate or other.
  function kind(unit) {
    const [over, under] = (unit || "").split("/");
    if (kinds[over]) return "time";
    return under === "s" || /FLOPS$/.test(over) ? "rate" : "other";
  }

  function times(c) {
    return (c >= 10000 ? "over 9,999" : commas(fixed(c, c < 10 ? 1 : 0))) + "x";
  }

  // change formats a relative change: "+5.1 %", and from twice as much on "4.2x as slow". Without a unit
  // the direction chooses the words: for less is better those of times, for more those of rates.
  function change(f, better, unit) {
    if (!known(f)) return dash;
    const what = unit ? kind(unit) : better < 0 ? "time" : better > 0 ? "rate" : "other";
    if (1 + f >= 2) return times(1 + f) + { time: " as slow", rate: " as fast", other: " as much" }[what];
    if (what === "time" && 1 + f <= 0.5 && 1 + f > 0) return times(1 / (1 + f)) + " as fast";
    return signed(f) + " %";
  }

  // between formats the interval of a change in the words of its middle, with enough digits to tell its
  // ends apart: "+4.9 % to +5.3 %", "2.08x to 2.13x".
  function between(f, lo, hi, better, unit) {
    if (!known(lo) || !known(hi)) return "";
    const what = unit ? kind(unit) : better < 0 ? "time" : better > 0 ? "rate" : "other";
    const fine = (x) => (x >= 100 ? times(x) : fixed(x, 2) + "x");
    if (1 + f >= 2) return fine(1 + lo) + " to " + fine(1 + hi);
    if (what === "time" && 1 + f <= 0.5 && 1 + lo > 0) return fine(1 / (1 + hi)) + " to " + fine(1 / (1 + lo));
    return change(lo, better, unit) + " to " + change(hi, better, unit);
  }

  function signed(f) {
    let digits = 1;
    for (let fine = 0.002; f && Math.abs(f) < fine && digits < 4; fine /= 10) digits++;
    const text = fixed(100 * Math.abs(f), digits);
    if (!/[1-9]/.test(text)) return text;
    return (f < 0 ? "−" : "+") + text;
  }

  // percent formats a fraction: "1.1 %".
  function percent(x) {
    if (!known(x)) return dash;
    const c = 100 * x;
    if (c > 999999) return ">999999 %";
    if (c >= 9.95) return fixed(c, 0) + " %";
    if (c >= 0.995) return fixed(c, 1) + " %";
    if (c >= 0.01) return String(Number(c.toPrecision(2))) + " %";
    return c > 0 ? "<0.01 %" : "0 %";
  }

  // range formats an interval: "51.80 to 52.30 µs".
  function range(lo, hi, unit) {
    if (!known(lo) || !known(hi)) return dash;
    return value(lo, unit) + " to " + value(hi, unit);
  }

  const pad = (n) => String(n).padStart(2, "0");

  // date and time are in UTC, so that everybody sees the same page.
  function date(seconds) {
    const d = new Date(seconds * 1000);
    if (!(seconds > 0) || Number.isNaN(d.getTime())) return dash; // unknown for some imports
    return d.getUTCFullYear() + "-" + pad(d.getUTCMonth() + 1) + "-" + pad(d.getUTCDate());
  }
  function time(seconds) {
    const d = new Date(seconds * 1000);
    return date(seconds) === dash ? dash : date(seconds) + " " + pad(d.getUTCHours()) + ":" + pad(d.getUTCMinutes()) + " UTC";
  }

  // count formats a number of things: "1 row", "1,200 rows".
  const count = (n, what, many) => commas(String(n)) + " " + (n === 1 ? what : many || what + "s");
  const hash = (sha) => (sha || "").slice(0, 12) || dash;

  // short cuts a text in the middle, since the ends tell names apart.
  const short = (text, most) => (text.length > most ? text.slice(0, Math.floor(most * 0.4)) + "…" + text.slice(text.length - Math.floor(most * 0.55)) : text);

  p.format = { dash, value, scale, on, behind, beside, unit: unitOf, kind, change, between, percent, range, date, time, count, short, hash, commas, fixed };
})(perftrack);
