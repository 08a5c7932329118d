package check

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A check may measure a part of the rounds while other machines measure the other parts, without a
// database in common. Nobody looks at the samples before all of them are united. So each machine
// measures a number of rounds that depends on nothing but its budget, and all rounds are one trial,
// with one alpha.

// roundsOf returns the first round of a part, and its number of rounds.
func roundsOf(p record.Part) (first, rounds int) {
	all := stat.CheckPlan().Last()
	first = (p.N-1)*all/p.Of + 1
	return first, p.N*all/p.Of - first + 1
}

// machineOf names the machine that measures a part of the rounds.
func machineOf(p record.Part) string { return strconv.Itoa(p.N) + "/" + strconv.Itoa(p.Of) }

// roundsTrial begins the trial whose rounds the machines share. All of them give it the same id.
func (c *check) roundsTrial(trials []store.Trial, base, head string) error {
	p := c.opt.RoundsPart
	if most := stat.CheckPlan().Last(); p.Of > most {
		return fault.Usagef("a trial has at most %d rounds, so it cannot be divided into %d parts", most, p.Of)
	}
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s %s %d", base, head, p.Of)))
	c.trial = trial{id: fmt.Sprintf("%d-parts-%s", p.Of, hex.EncodeToString(sum[:8])), share: 1}
	for _, t := range trials {
		if t.ID == c.trial.id && slices.ContainsFunc(t.Runs, func(r record.RunInfo) bool {
			return r.Protocol.Spread != nil && r.Protocol.Spread.Machine == machineOf(p)
		}) {
			return fault.Usagef("part %s of the rounds is measured already: see perftrack compare %s", machineOf(p), t.ID)
		}
	}
	return nil
}
