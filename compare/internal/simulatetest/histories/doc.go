// Package histories measures how often steps and drifts of a history are missed, or
// shown where there are none: draw.go draws one, rules.go has the rules of other tools,
// campaign.go perftrack's, and counts.
package histories
