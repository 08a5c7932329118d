package demand

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Word begins a comment that asks for a measurement.
const Word = "/perftrack"

// The limits of what may be asked for.
const (
	MaxBench  = 200 // bytes of a regular expression
	MaxBudget = 2 * time.Hour
)

const defaultBudget = 10 * time.Minute

// A Command is what somebody asks for.
type Command struct {
	Bench  string // regular expression as for go test -bench, "" for all
	Budget time.Duration
}

var errUsage = errors.New("write `" + Word + " [--bench RE] [--budget D]` as the only line, RE in quotes if it has spaces")

// IsCommand reports whether a comment means to ask for something.
func IsCommand(comment string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(comment), "\n")
	words := strings.Fields(first)
	return len(words) > 0 && words[0] == Word
}

// ParseComment reads a comment: one line, in which each flag is there at most once.
func ParseComment(comment string) (Command, error) {
	words, err := split(strings.TrimSpace(comment))
	if err != nil || len(words) == 0 || words[0] != Word {
		return Command{}, fmt.Errorf("this is no command: %w", errUsage)
	}
	given := map[string]string{}
	for words = words[1:]; len(words) > 0; {
		name, value, ok := strings.Cut(words[0], "=")
		words = words[1:]
		if !ok && len(words) > 0 {
			value, words, ok = words[0], words[1:], true
		}
		if _, again := given[name]; again || !ok || name != "--bench" && name != "--budget" {
			return Command{}, fmt.Errorf("this is not what may be asked for: %w", errUsage)
		}
		given[name] = value
	}
	bench, selected := given["--bench"]
	if selected && bench == "" {
		return Command{}, fmt.Errorf("--bench is empty: %w", errUsage)
	}
	return parse(bench, given["--budget"])
}

// parse checks the values of flags, "" being none.
func parse(bench, budget string) (c Command, err error) {
	c = Command{Bench: bench, Budget: defaultBudget}
	if budget != "" {
		if c.Budget, err = time.ParseDuration(budget); err != nil || c.Budget < time.Second || c.Budget > MaxBudget {
			return Command{}, fmt.Errorf("--budget is a time from 1s to %v, as 10m", MaxBudget)
		}
	}
	if len(bench) > MaxBench || strings.HasPrefix(bench, "-") || strings.ContainsFunc(bench, func(r rune) bool { return r < ' ' || r > '~' }) {
		return Command{}, fmt.Errorf("--bench is a regular expression of at most %d printable characters, the first of them no dash", MaxBench)
	}
	if _, err := regexp.Compile(bench); err != nil {
		return Command{}, errors.New("--bench is no regular expression")
	}
	return c, nil
}

// split splits a line at spaces. A part in quotes, single or double, may have them; nothing
// else means anything, as in no shell.
func split(line string) (words []string, err error) {
	var word strings.Builder
	quote, open := rune(0), false
	for _, r := range line {
		switch {
		case r < ' ' && r != '\t' || r > '~':
			return nil, errUsage
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ' || r == '\t':
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quote != 0 {
		return nil, errUsage
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}
