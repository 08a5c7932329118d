package measure

import (
	"errors"
	"fmt"
)

// Generates overrides the size and the model of a text-generating suite. The values become part of
// the suite's name, because each size has a history of its own.
type Generates struct {
	Prompt, Tokens int
	Model          string
}

// Check returns an error for invalid values, or if there is no suite to apply them to.
func (g Generates) Check(args []string, show string) error {
	switch {
	case g == (Generates{}):
		return nil
	case g.Prompt < 0 || g.Tokens < 0:
		return errors.New("--prompt and --tokens must be 1 or more")
	case len(args) == 0 || show != "":
		return errors.New("--prompt, --tokens and --model require a suite that generates text: perftrack profile deep --tokens 200")
	}
	return nil
}

// In returns the name of the suite when it is generated with the values in g.
func (g Generates) In(suite string) string {
	if g.Prompt > 0 {
		suite += fmt.Sprintf(" prompt=%d", g.Prompt)
	}
	if g.Tokens > 0 {
		suite += fmt.Sprintf(" tokens=%d", g.Tokens)
	}
	if g.Model != "" {
		suite += " model=" + g.Model
	}
	return suite
}
