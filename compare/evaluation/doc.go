// Package evaluation measures how often the decisions of package compare, and the rules of other
// tools, are wrong. It draws cases with a known true change and lets all rules judge the same
// cases.
//
// It is a separate module and replays the shipped code of compare. Its draws are pseudo-random with
// fixed seeds, so its tables are exactly reproducible; docs/evaluation.md shows them.
//
// There is one package per subject: verdicts simulates pull requests, tails simulates occasionally
// slow calls, histories covers steps in one benchmark's history, bisections covers the search for a
// commit, and unpaired covers the gates on unpaired runs. They share package noise, which simulates
// the noise of machines, and package figures, which bounds and formats rates. campaign.go in this
// package decides how large a campaign is.
package evaluation
