package record

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Older versions wrote the protocol into 16 facts, as text truncated to the maximum length of a
// fact.

// protocolOfFacts reads the protocol from the facts of an older run. It drops or adjusts values
// outside their bounds.
func protocolOfFacts(facts Settings) Protocol {
	p := Protocol{
		Procedure:  facts.Get(keyProcedure),
		Decision:   facts.Get(keyDecision),
		Selection:  selectionOfFact(facts.Get(keySelection)),
		Part:       partOfFact(facts.Get(keyShard)),
		Family:     familyOfFact(facts.Get(keyFamily)),
		Terms:      termsOfFact(numbered(facts, keyJudgedBy, MaxParts)),
		SameCode:   countsOfFact(facts.Get(keySameCode)),
		Unreached:  countsOfFact(facts.Get(keyUnreached)),
		Lacks:      countsOfFact(facts.Get(keyLacks)),
		Rewritten:  funcsOfFact(facts.Get(keyRewritten)),
		Starved:    starvedOfFact(facts.Get(keyStarved)),
		Pace:       paceOfFacts(facts),
		AlphaShare: shareOfFact(facts.Get(keyAlphaShare)),
	}
	p.Tests = listOfFact[SharedTests](numbered(facts, keyTests, MaxParts))
	p.Methods = listOfFact[Method](numbered(facts, keyWays, MaxParts))
	if p.JSON() == "" {
		return Protocol{}
	}
	p.ofFacts = true
	return p
}

// listOfFact parses a JSON list. It returns nil if text is not a valid list.
func listOfFact[T any](text string) (list []T) {
	if text == "" || json.Unmarshal([]byte(text), &list) != nil {
		return nil
	}
	return list
}

var selectionFact = regexp.MustCompile(`^(.*?) ?(?:--suite ("(?:[^"\\]|\\.)*"))? ?(?:--bench ("(?:[^"\\]|\\.)*"))?$`)

// selectionOfFact parses "all", or package patterns and flags as on a command line.
func selectionOfFact(text string) *Selection {
	switch text {
	case "":
		return nil
	case "all":
		return &Selection{}
	}
	words := selectionFact.FindStringSubmatch(text)
	if words == nil {
		return &Selection{Packages: []string{text}}
	}
	var s Selection
	if only := strings.Fields(words[1]); len(only) > 0 {
		s.Packages = only
	}
	for i, to := range []*string{&s.Suite, &s.Bench} {
		if quoted := words[2+i]; quoted != "" {
			value, err := strconv.Unquote(quoted)
			if err != nil {
				return &Selection{Packages: []string{text}}
			}
			*to = value
		}
	}
	return &s
}

// partOfFact parses "2/4" or "2/4: 30 of 120, DIVISION".
func partOfFact(text string) *Part {
	number, rest, _ := strings.Cut(text, ": ")
	p, ok := ParsePart(number)
	if !ok {
		return nil
	}
	whole := p
	if _, err := fmt.Sscanf(rest, "%d of %d, %s", &whole.Own, &whole.All, &whole.Division); err != nil || !whole.sound() {
		return &p
	}
	return &whole
}

// familyOfFact parses "2: engine, store".
func familyOfFact(text string) *Family {
	number, names, _ := strings.Cut(text, ": ")
	of, err := strconv.Atoi(strings.TrimSuffix(number, ":"))
	if err != nil || of < 1 {
		return nil
	}
	f := Family{Of: of}
	if names != "" {
		f.Targets = strings.Split(names, ", ")
	}
	return &f
}

func termsOfFact(text string) *Terms {
	var t Terms
	if text == "" || json.Unmarshal([]byte(text), &t) != nil || !t.sound() {
		return nil
	}
	return &t
}

// countsOfFact parses "example.com/a=3 example.com/b=4".
func countsOfFact(text string) (counts []Count) {
	for item := range strings.FieldsSeq(text) {
		pkg, n := cutLast(item)
		count, _ := strconv.Atoi(n)
		counts = append(counts, Count{pkg, min(max(count, 0), MaxBenchmarks)})
	}
	return counts
}

// funcsOfFact parses "example.com/a=Parse example.com/b=*".
func funcsOfFact(text string) (funcs []BenchmarkFunc) {
	for item := range strings.FieldsSeq(text) {
		pkg, name := cutLast(item)
		funcs = append(funcs, BenchmarkFunc{pkg, name})
	}
	return funcs
}

// cutLast splits item at its last "=".
func cutLast(item string) (before, after string) {
	i := strings.LastIndexByte(item, '=')
	if i < 0 {
		return item, ""
	}
	return item[:i], item[i+1:]
}

// starvedOfFact parses "57 benchmarks, 15 rounds of 2s after 10s".
func starvedOfFact(text string) *Starved {
	var s Starved
	var round, setup string
	if _, err := fmt.Sscanf(text, "%d benchmarks, %d rounds of %s after %s", &s.Benchmarks, &s.Rounds, &round, &setup); err != nil {
		return nil
	}
	s.Benchmarks, s.Rounds = min(max(s.Benchmarks, 1), MaxBenchmarks), min(max(s.Rounds, 1), MaxSamples)
	s.Round, _ = paceOfFact(round)
	s.Setup, _ = paceOfFact(setup)
	return &s
}

func paceOfFacts(facts Settings) *Pace {
	setup, ok1 := paceOfFact(facts.Get(keySetupTime))
	round, ok2 := paceOfFact(facts.Get(keyRoundTime))
	if !ok1 || !ok2 || round == 0 {
		return nil
	}
	return &Pace{setup, round}
}

func paceOfFact(text string) (time.Duration, bool) {
	d, err := time.ParseDuration(text)
	if err != nil || !paceSound(d, d) {
		return 0, false
	}
	return d, true
}

func shareOfFact(text string) float64 {
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || !(share > 0 && share < 1) {
		return 0
	}
	return share
}
