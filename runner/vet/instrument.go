package vet

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

// An edit replaces part of a file with other text.
type edit struct {
	file     string
	from, to int // byte offsets
	text     string
}

// ignoredErrors suspects calls in the loop with an ignored error, because a failing call might be
// measured. Running the files from [Package.Instrumented] shows which of them fail.
func (b *benchmark) ignoredErrors() {
	for _, word := range []string{"err", "fail", "invalid", "bad", "miss", "notfound", "timeout", "unknown", "malformed", "corrupt"} {
		if strings.Contains(strings.ToLower(b.name), word) {
			return // the failure is what the benchmark measures
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
		position := b.pkg.positions.PositionFor(s.Pos(), false)
		edits = append(edits, b.insert(s.End(), fmt.Sprintf("; if %s != nil && %s.Error() != \"EOF\" { println(%q, %s.Error()) }",
			name, name, shownMark(IgnoredError, position.Filename, position.Line), name)))
		b.pkg.edits = append(b.pkg.edits, edits...)
		b.report(IgnoredError, s, Suspected, "this call fails and its error is ignored, so the benchmark measures the failure", "if err != nil { b.Fatal(err) }, and valid input")
	}
}

// named returns the edits that replace the blank identifier for a call's error with a variable.
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
	position := b.pkg.positions.PositionFor(at, false)
	return edit{position.Filename, position.Offset, position.Offset, text}
}

// errorResult returns the index of a call's last result if it is an error, and otherwise -1.
func errorResult(t types.Type) int {
	if tuple, ok := t.(*types.Tuple); ok {
		if last := tuple.Len() - 1; last >= 0 && isError(tuple.At(last).Type()) {
			return last
		}
		return -1
	}
	if isError(t) {
		return 0
	}
	return -1
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// shownMark is the prefix of a line printed by an instrumented test.
func shownMark(rule Rule, file string, line int) string {
	return fmt.Sprintf("perftrack-%s %s:%d:", rule, filepath.Base(file), line)
}

// Instrumented returns the package's modified test files, keyed by path. They print each ignored
// error in a benchmark's loop and each idle operation, in the form parsed by [Shown]. Findings must
// be called first.
func (p *Package) Instrumented() (map[string][]byte, error) {
	byFile := map[string][]edit{}
	for _, e := range p.edits {
		if !slices.Contains(byFile[e.file], e) { // nested loops contain the same statements
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

// Shown returns the evidence for a finding in the output of an instrumented test: the ignored
// error, or the name of the benchmark with an empty loop, or "".
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

// Operations returns how many operations an instrumented test must execute to confirm or refute a
// suspicion, or 0 if no test can.
func (f Finding) Operations() int {
	switch f.Rule {
	case IgnoredError:
		return 1
	case Idle:
		return idleOperations
	}
	return 0
}
