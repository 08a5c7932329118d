// Package histories measures how often the steps and drifts in a history are missed or invented.
// draw.go draws histories, rules.go contains the rules of other tools, and campaign.go contains
// perftrack's rule and counts the results.
package histories
