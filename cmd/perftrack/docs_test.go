package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// Every test that the documentation names as the proof of a promise is there, in the
// folder if it names one, and the tables are not empty.
func TestPromisedTests(t *testing.T) {
	root := filepath.Join("..", "..")
	there := map[string][]string{} // folders, by the name of a test
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		folder, _ := filepath.Rel(root, filepath.Dir(path))
		for _, m := range testFunction.FindAllSubmatch(text, -1) {
			there[string(m[1])] = append(there[string(m[1])], filepath.ToSlash(folder))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, atLeast := range map[string]int{"github.md": 20, "sync.md": 15} {
		text, err := os.ReadFile(filepath.Join(root, "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		named := promisedTest.FindAllStringSubmatch(string(text), -1)
		for _, m := range named {
			if test, folder := m[1], m[2]; len(there[test]) == 0 || folder != "" && !slices.Contains(there[test], folder) {
				t.Errorf("%s names %s, which is in %q", name, m[0], there[test])
			}
		}
		if len(named) < atLeast {
			t.Errorf("%s names %d tests", name, len(named))
		}
		_, section, _ := strings.Cut(string(text), "## What it promises")
		section, _, _ = strings.Cut(section, "\n## ")
		for line := range strings.Lines(section) {
			if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| promise") && !promisedTest.MatchString(line) {
				t.Errorf("%s: no test of %s", name, line)
			}
		}
	}
}

var (
	testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(\w+ \*testing\.T\)`)
	promisedTest = regexp.MustCompile("`(Test\\w+)`(?: in `([\\w/]+)`)?")
)

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
