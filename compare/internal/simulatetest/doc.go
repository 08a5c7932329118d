// Package simulatetest measures how often the decision procedure of package
// compare, and the rules of other tools, are wrong: it draws pull requests
// whose changes are known and lets all of them judge the same samples.
//
// It stands beside the flow engine -> runner -> store -> compare -> reports and
// replays the code of compare that is shipped. What it draws is pseudo-random
// with fixed seeds, so its tables can be reproduced to the digit; docs/evaluation.md
// shows them.
//
// Where a thing lives: kinds of noise in noise.go and families.go, what is
// drawn of a pull request in draw.go, the rules in rules.go, procedure.go (the numbers, as
// package stat decides them) and product.go (every verdict, as the commands give them),
// counting in campaign.go, confidence bounds in binomial.go, the tables of the
// documentation in tables.go. Histories, with steps or without, are drawn,
// judged and counted by the files that begin with steps.
package simulatetest
