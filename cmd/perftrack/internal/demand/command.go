package demand

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Word is the first word of a comment that requests a measurement.
const Word = "/perftrack"

// Limits for the arguments of a command.
const (
	MaxBench  = 200 // bytes in the regular expression
	MaxBudget = 2 * time.Hour
)

const defaultBudget = 10 * time.Minute

// A Command describes the benchmarks to measure, and for how long.
type Command struct {
	Bench  string // a regular expression as for go test -bench; "" selects all benchmarks
	Budget time.Duration
}

var errUsage = errors.New("write `" + Word + " [--bench RE] [--budget D]` as the only line, with quotes around RE if it contains spaces")

// IsCommand reports whether a comment is meant as a command for perftrack.
func IsCommand(comment string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(comment), "\n")
	words := strings.Fields(first)
	return len(words) > 0 && words[0] == Word
}

// ParseComment parses a comment, a single line with each flag at most once.
func ParseComment(comment string) (Command, error) {
	words, err := split(strings.TrimSpace(comment))
	if err != nil || len(words) == 0 || words[0] != Word {
		return Command{}, fmt.Errorf("not a command: %w", errUsage)
	}
	given := map[string]string{}
	for words = words[1:]; len(words) > 0; {
		name, value, ok := strings.Cut(words[0], "=")
		words = words[1:]
		if !ok && len(words) > 0 {
			value, words, ok = words[0], words[1:], true
		}
		if _, again := given[name]; again || !ok || name != "--bench" && name != "--budget" {
			return Command{}, fmt.Errorf("wrong arguments: %w", errUsage)
		}
		given[name] = value
	}
	bench, selected := given["--bench"]
	if selected && bench == "" {
		return Command{}, fmt.Errorf("--bench is empty: %w", errUsage)
	}
	return parse(bench, given["--budget"])
}

// parse parses and checks the values of the flags. A value of "" means that the flag is missing.
func parse(bench, budget string) (c Command, err error) {
	c = Command{Bench: bench, Budget: defaultBudget}
	if budget != "" {
		if c.Budget, err = time.ParseDuration(budget); err != nil || c.Budget < time.Second || c.Budget > MaxBudget {
			return Command{}, fmt.Errorf("--budget must be a duration from 1s to %v, such as 10m", MaxBudget)
		}
	}
	if len(bench) > MaxBench || strings.HasPrefix(bench, "-") || strings.ContainsFunc(bench, func(r rune) bool { return r < ' ' || r > '~' }) {
		return Command{}, fmt.Errorf("--bench must be a regular expression with at most %d printable characters and must not begin with a dash", MaxBench)
	}
	if _, err := regexp.Compile(bench); err != nil {
		return Command{}, errors.New("--bench is not a regular expression")
	}
	return c, nil
}

// split splits a line into words at spaces outside single and double quotes. Unlike in a shell, no
// other characters are special.
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
