// Package simulatetest measures how often the decisions of package compare, and the
// rules of other tools, are wrong: it draws what is judged, so that the truth is known,
// and lets all of them judge the same draws.
//
// It stands beside the flow engine -> runner -> store -> compare -> reports and
// replays the code of compare that is shipped. What it draws is pseudo-random
// with fixed seeds, so its tables can be reproduced to the digit; docs/evaluation.md
// shows them.
//
// A room for each subject: verdicts has pull requests, tails calls that are slow now and then,
// histories the steps of one benchmark's commits, bisections the search for a commit. They
// share package noise, the kinds of noise of a machine, and figures, the bounds of a rate;
// here campaign.go says how large a campaign is.
package simulatetest
