package main

import (
	"errors"
	"fmt"
)

// generates is how much a suite generates, and with which model, in place of its own. It is part of the
// suite's name: what generates more is another series.
type generates struct {
	prompt, tokens int
	model          string
}

func (g generates) check(args []string, show string) error {
	switch {
	case g == (generates{}):
		return nil
	case g.prompt < 0 || g.tokens < 0:
		return errors.New("--prompt and --tokens count tokens: give 1 or more")
	case len(args) == 0 || show != "":
		return errors.New("--prompt, --tokens and --model are of a suite that generates: perftrack profile deep --tokens 200")
	}
	return nil
}

// in returns the name of the suite with all that was asked for.
func (g generates) in(suite string) string {
	if g.prompt > 0 {
		suite += fmt.Sprintf(" prompt=%d", g.prompt)
	}
	if g.tokens > 0 {
		suite += fmt.Sprintf(" tokens=%d", g.tokens)
	}
	if g.model != "" {
		suite += " model=" + g.model
	}
	return suite
}
