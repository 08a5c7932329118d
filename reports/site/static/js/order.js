// The order of what tables show.
"use strict";
(function (p) {
  // compareValues orders values as people do; what is missing comes last whatever the direction.
  p.compareValues = function (x, y, direction) {
    const none = (v) => v === null || v === undefined || Number.isNaN(v);
    if (none(x) || none(y)) return none(x) - none(y);
    if (typeof x === "number" && typeof y === "number") return direction * (x - y);
    return direction * String(x).localeCompare(String(y), "en", { numeric: true });
  };
})(perftrack);
