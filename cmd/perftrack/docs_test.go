package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Every command line that the documentation and the help texts show is one
// that perftrack understands.
func TestDocumentedCommands(t *testing.T) {
	checked := 0
	for _, name := range []string{"README.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split(string(text), "```") {
			if i%2 == 0 { // prose: only what stands between backquotes
				part = strings.Join(quoted.FindAllString(part, -1), "\n")
			}
			checked += checkCommands(t, name, part)
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Example == "" && !c.HasSubCommands() {
			t.Errorf("%s has no example", c.CommandPath())
		}
		if last := c.Long[strings.LastIndex(c.Long, "\n\n")+2:]; !strings.HasPrefix(last, "Exit status: 0 ") {
			t.Errorf("the help of %s does not end with its exit status", c.CommandPath())
		}
		checked += checkCommands(t, "help of "+c.CommandPath(), c.Example)
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				walk(sub)
			}
		}
	}
	walk(newRootCommand(&terminal{}))
	if checked < 40 {
		t.Errorf("only %d commands found in the documentation", checked)
	}
}

var (
	quoted      = regexp.MustCompile("`[^`\n]+`")
	commandLine = regexp.MustCompile("(?m)(?:^ *(?:\\$ )?|`|\\| |\\$\\(|; |<\\()(?:go run \\./cmd/)?perftrack( [^`|\n)]*)")
	lineEnd     = regexp.MustCompile(`  +| #| > | < |;`) // a remark, a redirection, the next command
)

func checkCommands(t *testing.T, where, text string) (n int) {
	t.Helper()
	for _, m := range commandLine.FindAllStringSubmatch(text, -1) {
		line := strings.TrimSpace(m[1])
		if i := lineEnd.FindStringIndex(line); i != nil {
			line = line[:i[0]]
		}
		args := strings.Fields(strings.NewReplacer("'", "", `"`, "").Replace(line))
		if len(args) == 0 || !regexp.MustCompile(`^[a-z-]+$`).MatchString(args[0]) {
			continue // prose
		}
		root := newRootCommand(&terminal{color: "auto"})
		root.SetOut(io.Discard)
		cmd, rest, err := root.Find(args)
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err == nil && cmd.Args != nil {
			err = cmd.Args(cmd, cmd.Flags().Args())
		}
		if err != nil {
			t.Errorf("%s shows `perftrack %s`: %v", where, line, err)
		}
		n++
	}
	return n
}
