// Package pager shows long text one page at a time, as git does. It uses the program in GIT_PAGER,
// core.pager or PAGER, or less by default, with settings that make less exit immediately if the
// text fits on the screen.
package pager

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"os/exec"
	"strings"
)

// Program returns the user's pager as a shell command, or "" if output must not be paged.
func Program(ctx context.Context, getenv func(string) string) string {
	program := cmp.Or(getenv("GIT_PAGER"), getenv("PAGER"), "less")
	if out, err := exec.CommandContext(ctx, "git", "var", "GIT_PAGER").Output(); err == nil { // git also reads core.pager
		program = strings.TrimSpace(string(out))
	}
	if program == "cat" {
		return ""
	}
	return program
}

// Show runs program to show the text on out. It returns false if the program could not be started
// and the text was therefore not shown.
func Show(ctx context.Context, program string, text []byte, out, errs *os.File, environ []string) bool {
	// less handles Ctrl-C itself, so Ctrl-C must not kill it.
	c := exec.CommandContext(context.WithoutCancel(ctx), "sh", "-c", program)
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), out, errs
	c.Env = append(environ[:len(environ):len(environ)], defaults(environ)...)
	err := c.Run()
	e, exited := err.(*exec.ExitError) //nolint:errorlint // Run does not wrap it
	// The shell exits with status 126 or 127 if it cannot run the program. With any other status,
	// the text was shown.
	return err == nil || exited && e.ExitCode() != 126 && e.ExitCode() != 127
}

// defaults returns git's settings for less and lv, unless the user has set their own. In LESS, F
// makes less exit if everything fits on one screen, R shows colors, and X leaves the text on the
// screen.
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
