package source

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An edit puts a text in the place of a part of a file.
type edit struct {
	file     string
	from, to int // offsets
	text     string
}

// ignoredErrors suspects calls of the loop whose error nobody looks at: where they fail, the
// figure is that of failing. A run of [Package.Instrumented] shows which do.
func (b *benchmark) ignoredErrors() {
	for _, word := range []string{"err", "fail", "invalid", "bad", "miss", "notfound", "timeout", "unknown", "malformed", "corrupt"} {
		if strings.Contains(strings.ToLower(b.name), word) {
			return // to fail is what is measured
		}
	}
	for _, l := range b.loops {
		b.inspect(l.body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				b.ignoredIn(n.List)
			case *ast.CaseClause:
				b.ignoredIn(n.Body)
			case *ast.FuncLit:
				return n == b.decl
			}
			return true
		})
	}
}

func (b *benchmark) ignoredIn(list []ast.Stmt) {
	for _, s := range list {
		var edits []edit
		name := fmt.Sprintf("perftrackIgnored%d", s.Pos())
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && !b.isTestings(call) {
				if n := errorResult(b.pkg.info.TypeOf(call)); n >= 0 {
					edits = []edit{b.insert(s.Pos(), strings.Repeat("_, ", n)+name+" := ")}
				}
			}
		case *ast.AssignStmt:
			edits = b.named(s, name)
		}
		if edits == nil {
			continue
		}
		place := b.pkg.positions.PositionFor(s.Pos(), false)
		edits = append(edits, b.insert(s.End(), fmt.Sprintf("; if %s != nil && %s.Error() != \"EOF\" { println(%q, %s.Error()) }",
			name, name, shownMark(IgnoredError, place.Filename, place.Line), name)))
		b.pkg.edits = append(b.pkg.edits, edits...)
		b.report(IgnoredError, s, Suspected, "this call fails, and nobody looks at its error: what is measured is how it fails", "if err != nil { b.Fatal(err) }, and input that is right")
	}
}

// named gives the blank identifier that a call's last result, an error, goes into a name.
func (b *benchmark) named(s *ast.AssignStmt, name string) []edit {
	if len(s.Rhs) != 1 || s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		return nil
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok || errorResult(b.pkg.info.TypeOf(call)) != len(s.Lhs)-1 || !allBlank(s.Lhs[len(s.Lhs)-1:]) {
		return nil
	}
	last := s.Lhs[len(s.Lhs)-1]
	at := b.insert(last.Pos(), name)
	at.to += len("_")
	if s.Tok == token.DEFINE {
		return []edit{at}
	}
	return []edit{b.insert(s.Pos(), "var "+name+" error; "), at}
}

func (b *benchmark) insert(at token.Pos, text string) edit {
	place := b.pkg.positions.PositionFor(at, false)
	return edit{place.Filename, place.Offset, place.Offset, text}
}

// errorResult is the index of a call's last result if that is an error, else -1.
func errorResult(t types.Type) int {
	isError := func(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
	if tuple, ok := t.(*types.Tuple); ok {
		if last := tuple.Len() - 1; last >= 0 && isError(tuple.At(last).Type()) {
			return last
		}
		return -1
	}
	if t != nil && isError(t) {
		return 0
	}
	return -1
}

// shownMark is what an instrumented test prints before what it shows of a line.
func shownMark(rule Rule, file string, line int) string {
	return fmt.Sprintf("perftrack-%s %s:%d:", rule, filepath.Base(file), line)
}

// Instrumented returns the package's test files, by path, so changed that they print each error
// of a benchmark's loop that they ignore, and each operation that does nothing; see [Shown].
// Findings comes before.
func (p *Package) Instrumented() (map[string][]byte, error) {
	byFile := map[string][]edit{}
	for _, e := range p.edits {
		if !slices.Contains(byFile[e.file], e) { // a loop in a loop has the same statements
			byFile[e.file] = append(byFile[e.file], e)
		}
	}
	files := map[string][]byte{}
	for file, edits := range byFile {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("instrument benchmarks: %w", err)
		}
		slices.SortStableFunc(edits, func(x, y edit) int { return cmp.Compare(x.from, y.from) })
		var out []byte
		at := 0
		for _, e := range edits {
			out = append(append(out, text[at:e.from]...), e.text...)
			at = e.to
		}
		files[file] = append(out, text[at:]...)
	}
	return files, nil
}

// Shown is what an instrumented test printed for a finding: the error that is ignored, or in which
// benchmark the loop has no rounds. It is "" where nothing confirms the finding.
func Shown(output string, f Finding) string {
	mark := shownMark(f.Rule, f.File, f.Line)
	if f.Rule == Idle {
		return idleIn(output, mark)
	}
	_, rest, found := strings.Cut(output, mark+" ")
	if !found {
		return ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// Operations is how many operations of an instrumented test show whether a finding is one, 0 for a
// finding that none of them shows.
func (f Finding) Operations() int {
	switch f.Rule {
	case IgnoredError:
		return 1
	case Idle:
		return idleOperations
	}
	return 0
}
