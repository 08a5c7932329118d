// The order of rows.
"use strict";
(function (p) {
  // compareNames orders n=9 before n=10.
  p.compareNames = new Intl.Collator("en", { numeric: true }).compare;

  // compareValues orders numbers and names; missing values come last in either direction.
  p.compareValues = function (x, y, direction) {
    const none = (v) => v === null || v === undefined || Number.isNaN(v);
    if (none(x) || none(y)) return none(x) - none(y);
    if (typeof x === "number" && typeof y === "number") return direction * (x - y);
    return direction * p.compareNames(String(x), String(y));
  };
})(perftrack);
