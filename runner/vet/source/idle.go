package source

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// idleOperations is how many operations tell whether they do nothing: of fewer, one that begins at
// nothing and one that alternates look the same.
const idleOperations = 4

// idleTimes is how often it must be seen that an operation does nothing. go test runs a benchmark for
// one operation first, so that a container which the first operation empties is found so by three,
// and one that is empty from the start by five.
const idleTimes = 3

// idle suspects operations that are a loop over a container and nothing else: where that is empty,
// nothing is measured. A run of [Package.Instrumented] shows where it is.
func (b *benchmark) idle() {
	for _, l := range b.loops {
		inner, body := b.onlyLoop(l)
		if inner == nil {
			continue
		}
		place := b.pkg.positions.PositionFor(inner.Pos(), false)
		rounds := fmt.Sprintf("perftrackRounds%d", inner.Pos())
		b.pkg.edits = append(b.pkg.edits,
			b.insert(inner.Pos(), rounds+" := 0; "),
			b.insert(body.Lbrace+1, rounds+"++; "),
			b.insert(inner.End(), fmt.Sprintf("; if %s == 0 { println(%q, %s.Name()) }", rounds, shownMark(Idle, place.Filename, place.Line), b.b.Name())))
		b.report(Idle, inner, Suspected, "this loop is all that an operation does, and it has no rounds: what it goes over is empty, from the start or after the first operation",
			"a container that is filled, and for each operation anew where the operation empties it")
	}
}

// onlyLoop is the loop that is all the work of an operation, nil where there is other work or where
// asking whether to go on may be work itself.
func (b *benchmark) onlyLoop(l loop) (inner ast.Stmt, body *ast.BlockStmt) {
	if l.kind == parallelLoop {
		return nil, nil
	}
	for _, s := range l.body.List {
		switch s := s.(type) {
		case *ast.RangeStmt:
			if inner != nil || !b.callsOnly(s.X) || b.mentions(s.X, "N") || b.pkg.info.Types[s.X].Value != nil {
				return nil, nil
			}
			inner, body = s, s.Body
		case *ast.ForStmt:
			if inner != nil || !b.asksForMore(s) || s.Init != nil && !b.callsOnly(s.Init, askers...) {
				return nil, nil
			}
			inner, body = s, s.Body
		case *ast.IfStmt:
			if s.Init != nil || s.Else != nil || !b.callsOnly(s.Cond) || !b.fails(s.Body.List) {
				return nil, nil
			}
		case *ast.AssignStmt, *ast.DeclStmt, *ast.IncDecStmt:
			if !b.callsOnly(s) {
				return nil, nil
			}
		default:
			return nil, nil
		}
	}
	if inner == nil || len(body.List) == 0 {
		return nil, nil
	}
	return inner, body
}

// askers are methods that tell whether there is more.
var askers = []string{"Len", "Front", "Next", "HasNext", "More", "Scan"}

// asksForMore reports whether a loop goes on as long as a container has something left.
func (b *benchmark) asksForMore(s *ast.ForStmt) (asks bool) {
	if s.Cond == nil || !b.callsOnly(s.Cond, askers...) || b.mentions(s.Cond, "N") {
		return false
	}
	ast.Inspect(s.Cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			asks = true
		case *ast.Ident:
			asks = asks || n.Name == "nil"
		}
		return !asks
	})
	return asks
}

// callsOnly reports whether nothing is called in a node but builtins that compute nothing to speak of,
// and methods of these names, and nothing is received.
func (b *benchmark) callsOnly(n ast.Node, methods ...string) bool {
	only := true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			s, ok := n.Fun.(*ast.SelectorExpr)
			only = only && (ok && slices.Contains(methods, s.Sel.Name) || isBuiltin(b.pkg.info, n.Fun, "len") || isBuiltin(b.pkg.info, n.Fun, "cap"))
		case *ast.UnaryExpr:
			only = only && n.Op != token.ARROW
		case *ast.FuncLit:
			only = false
		}
		return only
	})
	return only
}

// meantEmpty are names of benchmarks of what is empty: nothing to do is what they measure.
var meantEmpty = regexp.MustCompile(`(?i)empty|none|nil|zero|noop|miss|(^|\D)0(-\d+)?$`)

// MeantEmpty reports whether the name of a benchmark, with those of its parts, says that it has
// nothing to do.
func MeantEmpty(name string) bool { return meantEmpty.MatchString(name) }

// idleIn is the benchmark whose operations an instrumented test found to do nothing, "" for none.
func idleIn(output, mark string) string {
	seen := map[string]int{}
	for line := range strings.Lines(output) {
		_, name, found := strings.Cut(strings.TrimSpace(line), mark+" ")
		if name = strings.TrimPrefix(name, "Benchmark"); !found || MeantEmpty(name) {
			continue
		}
		if seen[name]++; seen[name] == idleTimes {
			return name
		}
	}
	return ""
}
