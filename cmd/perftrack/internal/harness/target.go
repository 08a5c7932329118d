package harness

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/config"
)

// Folder is the folder that the written targets build in and write results to. Their build lines
// make git ignore it, so it never makes a work tree dirty.
const Folder = "build-perftrack"

// A Found is a benchmark harness in a repository, with a target that measures it.
type Found struct {
	Framework  string // such as google-benchmark
	Path       string // folder or file with the benchmarks, relative to the root, with slashes
	Benchmarks int    // number of benchmarks that the sources declare; 0 if unknown
	Needs      string // what a CI job must install first, such as "cmake, lld"; or ""
	Unfinished string // what the user must do before the target works, or "" if it works as it is

	Name    string // name of the target, unique among all found
	Build   string // shell lines
	Run     string // shell line
	Format  string
	Layout  string
	Results []string
	Paths   []string
	Why     string // what the layout means here, for the comment above it
}

// Text returns the target for perftrack.toml, with comments. If the target is unfinished, all of it
// is a comment.
func (f Found) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "[[target]]\nname    = %q\nkind    = %q\n", f.Name, config.Command)
	if f.Build != "" {
		if strings.Contains(f.Build, "\n") {
			fmt.Fprintf(&b, "build   = '''\n%s\n'''\n", f.Build)
		} else {
			fmt.Fprintf(&b, "build   = %s\n", literal(f.Build))
		}
	}
	fmt.Fprintf(&b, "run     = %s\nformat  = %q\n", literal(f.Run), f.Format)
	if len(f.Results) > 0 {
		fmt.Fprintf(&b, "results = %s\n", list(f.Results))
	}
	if len(f.Paths) > 0 {
		b.WriteString(comment("If no file differs that matches one of these, there is nothing to measure. Add the data that the benchmarks read."))
		fmt.Fprintf(&b, "paths   = %s\n", list(f.Paths))
	}
	if f.Why != "" {
		b.WriteString(comment(f.Why))
	}
	fmt.Fprintf(&b, "layout  = %q\n", f.Layout)
	if f.Unfinished == "" {
		return b.String()
	}
	return comment("A target to finish, for "+f.Framework+" in "+f.Path+". "+f.Unfinished) + hidden(b.String())
}

// comment returns a text as lines of comments. What follows a line break is one line, so that it
// can be copied.
func comment(text string) string {
	text, verbatim, _ := strings.Cut(text, "\n")
	var b strings.Builder
	line := "#"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > 100 {
			b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
	if verbatim != "" {
		b.WriteString("#   " + verbatim + "\n")
	}
	return b.String()
}

// hidden returns the lines of a target as comments.
func hidden(text string) string {
	return "# " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n# ") + "\n"
}

// literal returns a TOML string in the form that is easiest to read.
func literal(s string) string {
	if strings.Contains(s, "'") || !strings.ContainsAny(s, `"\`) {
		return fmt.Sprintf("%q", s)
	}
	return "'" + s + "'"
}

func list(all []string) string {
	var quoted []string
	for _, s := range all {
		quoted = append(quoted, fmt.Sprintf("%q", s))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// rename gives each target a valid name that no other has. taken lists the names of other targets.
func rename(all []Found, taken []string) {
	used := slices.Clone(taken)
	for i := range all {
		f := &all[i]
		name := strings.Trim(notInName.ReplaceAllString(f.Name, "-"), "-._")
		if name = name[:min(len(name), 60)]; name == "" {
			name = f.Framework
		}
		f.Name = name
		for n := 2; slices.Contains(used, f.Name); n++ {
			f.Name = fmt.Sprintf("%s-%d", name, n)
		}
		used = append(used, f.Name)
	}
}
