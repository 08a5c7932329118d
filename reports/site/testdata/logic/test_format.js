"use strict";
const assert = require("node:assert/strict");
const f = require("./load.js").load("format").format;

for (const [x, unit, want] of [
  [52e-6, "sec/op", "52.00 µs"], [1.5, "sec/op", "1.500 s"], [0.07469, "max-sec/op", "74.69 ms"], [0, "sec/op", "0 s"], [4096, "B/op", "4.000 KiB"], [48, "B/op", "48 B"],
  [12, "allocs/op", "12"], [120000, "allocs/op", "120,000"], [1.5, "allocs/op", "1.500"], [12.3, "GFLOPS", "12.30 GFLOPS"], [2e9, "B/s", "1.863 GiB/s"],
  [31.4, "tok/s", "31.40 tok/s"], [1.02, "sec/op ratio", "1.020 x"], [null, "sec/op", "—"], [NaN, "B/op", "—"], [undefined, "", "—"], [1e300, "sec/op", "1.000e+300 s"],
  // What b.ReportMetric calls its own: a sign after the prefix, a word apart from it.
  [98940e-9, "p99-latency-sec", "98.94 µs"], [1.237e6, "requests/s", "1.237 M requests/s"], [3.021, "dropped-packets/op", "3.021 dropped-packets"], [1200, "tok/s", "1.200 k tok/s"],
  [2048, "peak-heap-B/op", "2.000 Ki peak-heap-B"], [5, "", "5.000"],
]) assert.equal(f.value(x, unit), want);
for (const [prefix, unit, want] of [["µ", "sec/op", "µs"], ["µ", "p99-latency-sec", "µs"], ["M", "requests/s", "M"], ["", "dropped-packets/op", ""], ["k", "tok/s", "k tok/s"], ["Ki", "B/op", "KiB"]]) {
  assert.equal(f.beside(prefix, unit), want);
}

for (const [x, better, unit, want] of [
  [0.12, -1, "sec/op", "+12.0 %"], [-0.051, -1, "sec/op", "−5.1 %"], [3.2, -1, "sec/op", "4.2x as slow"], [-0.75, -1, "sec/op", "4.0x as fast"],
  [1, 1, "tok/s", "2.0x as fast"], [-0.75, 1, "tok/s", "−75.0 %"], [11, -1, "B/op", "12x as much"], [-1, -1, "sec/op", "−100.0 %"], [0, -1, "sec/op", "0.0"],
  [2.5, -1, undefined, "3.5x as slow"], [2.5, 1, undefined, "3.5x as fast"], [1e9, 0, "x", "over 9,999x as much"], [0.0004, -1, "sec/op", "+0.04 %"], [null, -1, "sec/op", "—"],
]) assert.equal(f.change(x, better, unit), want === "0.0" ? "0.0 %" : want);

assert.equal(f.date(0), "—");
assert.equal(f.date(-62135596800), "—"); // the zero time of Go
assert.equal(f.date(1795000000), "2026-11-18");
assert.equal(f.time(1795000000), "2026-11-18 11:06 UTC");
assert.equal(f.count(1, "row"), "1 row");
assert.equal(f.count(1200, "series", "series"), "1,200 series");

// The ends of an interval differ where they are not the same.
assert.equal(f.between(0.051, 0.049, 0.053, -1, "sec/op"), "+4.9 % to +5.3 %");
assert.equal(f.between(1.1, 1.07, 1.13, -1, "sec/op"), "2.07x to 2.13x");
assert.equal(f.between(-0.6, -0.61, -0.58, -1, "sec/op"), "2.38x to 2.56x");
assert.equal(f.between(1.1, null, 1.13, -1, "sec/op"), "");
