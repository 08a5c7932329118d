package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/manual"
	"github.com/perftrack/perftrack/compare"
)

// All documentation pages named in messages, help texts, jobs and other pages exist. Messages refer
// to perftrack help, because users of the binary have no docs/x.md. A name in backquotes is
// complete. Without backquotes, other words may follow the name, so a second word counts as a
// section only if it has a hyphen.
func TestPointedPages(t *testing.T) {
	texts := documentPages(t)
	root := filepath.Join("..", "..")
	eachFile(t, func(file string, _ []string) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(file)), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				texts[file] += lit.Value + "\n"
			}
			return true
		})
	})
	for _, pattern := range []string{".github/*.sh", ".github/workflows/*.yml", "cmd/perftrack/internal/setup/*/*.yml"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[file] = string(text)
		}
	}
	pointed := 0
	for file, text := range texts {
		if !strings.HasSuffix(file, ".md") && docsFile.MatchString(text) {
			t.Errorf("%s names %s: say perftrack help", file, docsFile.FindString(text))
		}
		for _, m := range pointer.FindAllStringSubmatch(text, -1) {
			words := strings.Fields(m[1])
			if whole := strings.HasPrefix(m[0], "`"); !whole && len(words) > 1 && !strings.Contains(words[1], "-") {
				words = words[:1]
			}
			if _, err := helptext.Text(newRootCommand(&console.Console{}), words, manual.Style{Width: 80}, false); err != nil {
				t.Errorf("%s: %s: %v", file, m[0], err)
			}
			pointed++
		}
	}
	if pointed < 30 {
		t.Errorf("only %d pages are pointed to", pointed)
	}
}

var (
	docsFile = regexp.MustCompile(`docs/[a-z]+\.md`)
	pointer  = regexp.MustCompile("`?perftrack help ([a-z][a-z-]*(?:[ \n]+[a-z][a-z-]*)?)")
)

// The page for agents explains each verdict and each exit status, and JSON documents have all
// fields named in it.
func TestPageForAgents(t *testing.T) {
	page := documentPages(t)["docs/agents.md"]
	for _, v := range compare.Verdicts {
		if !strings.Contains(page, "| `"+string(v)+"` |") {
			t.Errorf("docs/agents.md does not say what %s allows to say", v)
		}
	}
	for _, code := range []int{console.ExitOK, console.ExitRegression, console.ExitError, console.ExitInconclusive, console.ExitInterrupted} {
		if !strings.Contains(page, fmt.Sprintf("\n| %d | ", code)) {
			t.Errorf("docs/agents.md does not say what exit status %d is", code)
		}
	}
	known := map[string]bool{}
	eachFile(t, func(file string, _ []string) {
		if !strings.HasPrefix(file, "reports/") {
			return
		}
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range jsonField.FindAllSubmatch(text, -1) {
			known[string(m[1])] = true
		}
	})
	_, tables, _ := strings.Cut(page, "## Which command")
	tables, _, _ = strings.Cut(tables, "\n## ")
	named := 0
	for line := range strings.Lines(tables) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.Contains(line, "---") {
			continue
		}
		for _, m := range quoted.FindAllString(cells[3], -1) {
			for _, field := range strings.Split(strings.ReplaceAll(strings.Trim(m, "`"), "[]", ""), ".") {
				if named++; !known[field] {
					t.Errorf("docs/agents.md names the field %s, which no document has", field)
				}
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d fields found", named)
	}
}

var jsonField = regexp.MustCompile(`\{"([a-z_]+)",`)

// checkHelp checks that a help text begins with one or two lines about the purpose of the command,
// has at most 25 lines before the flags and at most 12 flags that are not advanced, and fits a
// terminal.
func checkHelp(t *testing.T, c *cobra.Command) {
	t.Helper()
	c.InitDefaultHelpFlag()
	text := helptext.Usage(c, manual.Style{Width: 80}, false)
	lead, _, _ := strings.Cut(text, "\n\n")
	if strings.Count(lead, "\n") > 1 || !strings.HasSuffix(lead, ".") {
		t.Errorf("the help of %s does not begin with a short sentence: %s", c.CommandPath(), lead)
	}
	for _, all := range []bool{false, true} {
		for line := range strings.Lines(helptext.Usage(c, manual.Style{Width: 80}, all)) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("the help of %s has a line of %d columns: %s", c.CommandPath(), n, line)
			}
		}
	}
	before, _, _ := strings.Cut(text, "\nFlags:\n")
	if n := strings.Count(before, "\n"); n > 25 && c.HasParent() {
		t.Errorf("the help of %s has %d lines before its flags: move details to its page in docs", c.CommandPath(), n)
	}
	usual, _ := helptext.FlagGroups(c.LocalFlags())
	n := 0
	usual.VisitAll(func(*pflag.Flag) { n++ })
	if n > 12 {
		t.Errorf("%s has %d flags: add those that few users need to advancedFlags", c.CommandPath(), n)
	}
}

// The short list has the everyday commands; help --all has all except aliases.
func TestListedCommands(t *testing.T) {
	root := newRootCommand(&console.Console{})
	short, all := helptext.Usage(root, manual.Style{Width: 80}, false), helptext.Usage(root, manual.Style{Width: 80}, true)
	for _, c := range root.Commands() {
		line := "\n  " + c.Name() + " "
		if want := c.GroupID != helptext.OtherCommands && !c.Hidden; strings.Contains(short, line) != want {
			t.Errorf("perftrack --help lists %s: %v, want %v", c.Name(), !want, want)
		}
		if strings.Contains(all, line) == c.Hidden {
			t.Errorf("perftrack help --all lists %s: %v", c.Name(), c.Hidden)
		}
	}
	for _, old := range []string{"comment", "ask", "accept", "notify"} {
		alias, _, err := root.Find([]string{old})
		if err != nil || !alias.Hidden || alias.Short == "" {
			t.Errorf("perftrack %s: hidden %v, %v", old, alias.Hidden, err)
		}
	}
}
