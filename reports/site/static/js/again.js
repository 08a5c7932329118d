// The next measurement if too little is known.
"use strict";
(function (p) {
  // again returns a command that works in this repository, and its effect. It measures at most so many
  // commits before HEAD.
  p.again = function (meta, most) {
    const before = Math.min(most, (meta.depth || 0) - 1);
    if (before > 0) return { command: "perftrack backfill HEAD~" + before + "..HEAD", does: "Measure the newest commits on the branch" };
    return { command: "perftrack run", does: meta.depth === 1 ? "There is only one commit: measure it again, and then each new commit" : "Measure again" };
  };

  // beside says what is missing, with the command that measures two commits side by side.
  p.beside = (meta, without) => p.empty(without + (meta.depth === 1 ? " There is only one commit; after the next one, run" : ""), "perftrack check --base HEAD~1");
})(perftrack);
