// Package bisections measures how often the search for a slower commit names the wrong one, and how
// much the search costs. line.go draws lines of commits with one slower commit, rules.go and
// bayesect.go contain the bisectors, and campaign.go counts their results.
package bisections
