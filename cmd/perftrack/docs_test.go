package main

import (
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
)

// perftrack accepts every command line in the documentation and the help texts.
func TestDocumentedCommands(t *testing.T) {
	checked := 0
	for name, text := range documentPages(t) {
		for i, part := range strings.Split(string(text), "```") {
			if i%2 == 0 { // prose: only text between backquotes
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
		if c.HasParent() && !c.Parent().HasParent() && c.GroupID == "" {
			t.Errorf("%s is in none of the groups of commandGroups", c.CommandPath())
		}
		checkHelp(t, c)
		checked += checkCommands(t, "help of "+c.CommandPath(), c.Example)
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				walk(sub)
			}
		}
	}
	walk(newRootCommand(&console.Console{}))
	if checked < 40 {
		t.Errorf("only %d commands found in the documentation", checked)
	}
}

// documentPages returns the pages of the documentation, by their path in the repository.
func documentPages(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..")
	found, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(found) < 5 {
		t.Fatalf("pages in docs: %v, %v", found, err)
	}
	texts := map[string]string{}
	for _, path := range append(found, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.ToSlash(name)] = string(text)
	}
	return texts
}

// Every link within the repository points to an existing file and heading.
func TestDocumentedLinks(t *testing.T) {
	texts := documentPages(t)
	for name, text := range texts {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := name
			if target != "" {
				file = path.Join(path.Dir(name), target)
			}
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(file))); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
			if heading != "" && !slices.Contains(headings(texts[file]), heading) {
				t.Errorf("%s links to %s: %s has the headings %q", name, m[1], file, headings(texts[file]))
			}
		}
	}
}

// CONTRIBUTING.md names existing files and folders, and every package except test support.
func TestDocumentedLayout(t *testing.T) {
	text, _, _ := strings.Cut(documentPages(t)["CONTRIBUTING.md"], "\n## Release") // this section names a future file
	named := map[string]bool{}
	for _, m := range filePath.FindAllStringSubmatch(text, -1) {
		named[m[1]] = true
		if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(m[1]))); err != nil {
			t.Errorf("CONTRIBUTING.md names %s: %v", m[1], err)
		}
	}
	eachFile(t, func(file string, _ []string) {
		dir := path.Dir(file)
		room := strings.Count(dir, "/") < 2 || path.Dir(dir) == useCases
		if room && !strings.HasSuffix(file, "_test.go") && !strings.HasSuffix(dir, "test") && !named[dir] && !strings.Contains(text, "`"+dir+"`") {
			named[dir] = true // once is enough
			t.Errorf("CONTRIBUTING.md does not say what is in %s", dir)
		}
	})
}

var filePath = regexp.MustCompile("`((?:[\\w.-]+/)+[\\w.-]+)`")

// Every package in a go test command in the documentation exists.
func TestDocumentedTests(t *testing.T) {
	checked := 0
	for name, text := range documentPages(t) {
		for _, line := range goTest.FindAllString(text, -1) {
			module, words := "", strings.Fields(line)
			if len(words) > 3 && words[2] == "-C" {
				module = words[3]
			}
			for _, word := range words {
				if folder, ok := strings.CutPrefix(word, "./"); ok {
					checked++
					if _, err := os.Stat(filepath.Join("..", "..", module, strings.TrimSuffix(folder, "..."))); err != nil {
						t.Errorf("%s shows %s: %v", name, line, err)
					}
				}
			}
		}
	}
	if checked < 8 {
		t.Errorf("only %d packages found in the documentation", checked)
	}
}

var goTest = regexp.MustCompile("go test [^`\n]*")

// headings returns GitHub's anchors for the headings of a page.
func headings(text string) (names []string) {
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		words := strings.ToLower(notInHeading.ReplaceAllString(m[1], ""))
		names = append(names, strings.ReplaceAll(words, " ", "-"))
	}
	return names
}

var (
	link         = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading      = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notInHeading = regexp.MustCompile(`[^\pL\pN _-]`)
)

// The doc comment of each package names the file to begin with, unless a file has the package's
// name, and all files named in it exist.
func TestPackageDocs(t *testing.T) {
	type folder struct {
		files []string
		doc   string
	}
	folders := map[string]*folder{}
	eachFile(t, func(file string, _ []string) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		dir := path.Dir(file)
		if folders[dir] == nil {
			folders[dir] = &folder{}
		}
		f := folders[dir]
		f.files = append(f.files, path.Base(file))
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", filepath.FromSlash(file)), nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Error(err)
		} else if parsed.Doc != nil {
			f.doc += parsed.Doc.Text()
		}
	})
	for dir, f := range folders {
		named := goFile.FindAllString(elsewhere.ReplaceAllString(f.doc, ""), -1)
		switch {
		case f.doc == "":
			t.Errorf("%s has no doc comment", dir)
		case len(f.files) > 1 && len(named) == 0 && !slices.Contains(f.files, path.Base(dir)+".go"):
			t.Errorf("the doc comment of %s does not say with which file to begin, and none has its name", dir)
		}
		for _, name := range named {
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(dir), filepath.FromSlash(name))); err != nil {
				t.Errorf("the doc comment of %s names %s, which is not there", dir, name)
			}
		}
	}
}

var (
	goFile    = regexp.MustCompile(`\b[\w/-]+\.go\b`) // in the package's folder or below
	elsewhere = regexp.MustCompile(`\.\./\S+`)        // a file in another folder
)

// Every test named as a proof in the documentation exists in the named folder, and the tables are
// not empty.
func TestPromisedTests(t *testing.T) {
	root := filepath.Join("..", "..")
	there := map[string][]string{} // folders by test name
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := os.ReadFile(file)
		folder, _ := filepath.Rel(root, filepath.Dir(file))
		for _, m := range testFunction.FindAllSubmatch(text, -1) {
			there[string(m[1])] = append(there[string(m[1])], filepath.ToSlash(folder))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, atLeast := range map[string]int{"github.md": 20, "sync.md": 15, "db.md": 12} {
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
	lineEnd     = regexp.MustCompile(`  +| #| > | < | 2>|;| &$`) // remark, redirection, next command or background
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
		root := newRootCommand(&console.Console{Color: "auto"})
		root.SetOut(io.Discard)
		cmd, rest, err := root.Find(args)
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		name := len(args) == 1 && strings.HasPrefix(m[0], "`") // a command's name in a sentence
		if err == nil && cmd.Args != nil && !name {
			err = cmd.Args(cmd, cmd.Flags().Args())
		}
		if err != nil {
			t.Errorf("%s shows `perftrack %s`: %v", where, line, err)
		}
		n++
	}
	return n
}
