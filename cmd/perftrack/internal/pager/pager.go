// Package pager shows a long text a page at a time, as git does: with the program of GIT_PAGER,
// core.pager or PAGER, or else less, which ends by itself where the text fits the screen.
package pager

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"os/exec"
	"strings"
)

// Program returns what the user pages with, in the words of a shell; "" is nothing.
func Program(ctx context.Context, getenv func(string) string) string {
	program := cmp.Or(getenv("GIT_PAGER"), getenv("PAGER"), "less")
	if out, err := exec.CommandContext(ctx, "git", "var", "GIT_PAGER").Output(); err == nil { // it knows core.pager, too
		program = strings.TrimSpace(string(out))
	}
	if program == "cat" {
		return ""
	}
	return program
}

// Show has the program show the text on out. It returns false where the program cannot be
// started: then nobody has seen the text.
func Show(ctx context.Context, program string, text []byte, out, errs *os.File, environ []string) bool {
	// Ctrl-C is a key of less, which lives on.
	c := exec.CommandContext(context.WithoutCancel(ctx), "sh", "-c", program)
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), out, errs
	c.Env = append(environ[:len(environ):len(environ)], defaults(environ)...)
	err := c.Run()
	e, exited := err.(*exec.ExitError) //nolint:errorlint // as Run returns it
	// A shell ends with 126 or 127 where there is no such program; whatever else a pager ends
	// with, it was seen.
	return err == nil || exited && e.ExitCode() != 126 && e.ExitCode() != 127
}

// defaults are the settings that git gives to less and lv, unless the user has others: F ends
// where all fits, R shows colours, X leaves the text on the screen.
func defaults(environ []string) (out []string) {
	for _, d := range []string{"LESS=FRX", "LV=-c"} {
		name, _, _ := strings.Cut(d, "=")
		set := false
		for _, e := range environ {
			set = set || strings.HasPrefix(e, name+"=")
		}
		if !set {
			out = append(out, d)
		}
	}
	return out
}
