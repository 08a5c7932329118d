// What to measure where too little is known: commits that were not, or the one that there is.
"use strict";
(function (p) {
  // again returns a command that works in this repository, and what it does: "most" is how many commits
  // before HEAD it measures at most. Of one commit, and where there is no repository, nothing lies before.
  p.again = function (meta, most) {
    const before = Math.min(most, (meta.depth || 0) - 1);
    if (before > 0) return { command: "perftrack backfill HEAD~" + before + "..HEAD", does: "Measure the newest commits of the branch" };
    return { command: "perftrack run", does: meta.depth === 1 ? "There is one commit: measure it again, and each that follows" : "Measure again" };
  };

  // beside says what there is not, and how two commits are measured side by side, once there are two.
  p.beside = (meta, without) => p.empty(without + (meta.depth === 1 ? " There is one commit: after the next one," : ""), "perftrack check --base HEAD~1");
})(perftrack);
