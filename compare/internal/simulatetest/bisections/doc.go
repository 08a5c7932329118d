// Package bisections measures how often the search for a commit names the wrong one,
// and what it costs: line.go draws commits of which one is slower, rules.go and
// bayesect.go have those who look for it, campaign.go counts.
package bisections
