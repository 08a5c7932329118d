// Package simulatetest measures how often the decision procedure of package
// compare, and the rules of other tools, are wrong: it draws pull requests
// whose changes are known and lets all of them judge the same samples.
//
// It stands beside the flow engine -> runner -> store -> compare -> reports and
// replays the code of compare that is shipped. What it draws is pseudo-random
// with fixed seeds, so its tables can be reproduced to the digit; docs/evaluation.md
// shows them.
//
// The files: noise.go and families.go have the kinds of noise, draw.go draws a pull
// request, rules.go has the rules of other tools. Of perftrack, procedure.go replays the
// numbers, as package stat decides them, and product.go the verdicts, as the commands give
// them. campaign.go counts, binomial.go has confidence bounds, goals.go what must be
// reached, tables.go the tables of the documentation. The files that begin with steps_
// do the same for histories, with steps or without, and those that begin with bisect_
// for bisections.
package simulatetest
