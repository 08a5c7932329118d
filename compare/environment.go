package compare

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare/pairs"
)

// differences describes the differing settings, such as "cpu: A vs B, goversion: ...".
func differences(p *pairs.Pairing) string {
	var parts []string
	for _, d := range p.Different {
		parts = append(parts, fmt.Sprintf("%s: %s vs %s", d.Key, cmp.Or(d.Base, "unknown"), cmp.Or(d.Head, "unknown")))
	}
	return strings.Join(parts, ", ")
}

// environmentCaveat describes how the environments relate to each other. ok is false if they are equal.
func environmentCaveat(p *pairs.Pairing) (c Caveat, ok bool) {
	side, other := base, "head"
	switch {
	case len(p.Runs[base]) == 0:
		side, other = head, "base"
	case len(p.Runs[head]) > 0 && len(p.Different) == 0:
		return c, false
	case len(p.Runs[head]) > 0 && p.Comparable:
		return Caveat{CodeEnvironment, "the environments differ as part of the change", differences(p)}, true
	case len(p.Runs[head]) > 0:
		return Caveat{CodeEnvironment, "the environments differ, so their numbers are not compared", differences(p)}, true
	}
	of := "environment " + p.Env[side].EnvironmentID()
	if p.Target != "" {
		of = "target " + p.Target + ", " + of
	}
	return Caveat{CodeEnvironment, "the " + other + " side has no matching run", of}, true
}
