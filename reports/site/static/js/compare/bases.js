// The usual bases of a commit.
"use strict";
(function (p) {
  // bases returns measured commits of the branch as [words, index]: for a commit of the branch the one
  // before and the last release, else its fork.
  p.bases = function (commits, at, measured) {
    const c = commits[at];
    const earlier = (fits) => {
      for (let i = at - 1; i >= 0; i--) if (!commits[i].off && measured.has(i) && fits(commits[i])) return i;
      return -1;
    };
    if (c.off) return c.fork === undefined ? [] : [["where it left the branch", c.fork]];
    const tag = earlier((b) => b.tags && b.tags.length);
    const before = earlier(() => true);
    const all = before < 0 ? [] : [["the commit measured before it", before]];
    if (tag >= 0 && tag !== before) all.push(["the last release, " + p.text(commits[tag].tags.at(-1)), tag]);
    return all;
  };
})(perftrack);
