package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// idleOperations is the number of operations in a run that decides whether operations do nothing.
// With fewer operations, an always empty container could not be distinguished from a container that
// is empty only at first, or in every other operation.
const idleOperations = 4

// idleTimes is the number of operations that must do nothing. go test executes one operation before
// the run itself. So a container emptied by the first operation causes three idle operations, and
// an always empty container causes five.
const idleTimes = 3

// idle suspects operations that consist only of a loop over a container. If the container is empty,
// nothing is measured. Running the files from [Package.Instrumented] shows whether it is.
func (b *benchmark) idle() {
	for _, l := range b.loops {
		inner, body := b.onlyLoop(l)
		if inner == nil {
			continue
		}
		position := b.pkg.positions.PositionFor(inner.Pos(), false)
		rounds := fmt.Sprintf("perftrackRounds%d", inner.Pos())
		b.pkg.edits = append(b.pkg.edits,
			b.insert(inner.Pos(), rounds+" := 0; "),
			b.insert(body.Lbrace+1, rounds+"++; "),
			b.insert(inner.End(), fmt.Sprintf("; if %s == 0 { println(%q, %s.Name()) }", rounds, shownMark(Idle, position.Filename, position.Line), b.b.Name())))
		b.report(Idle, inner, Suspected, "the operation consists only of this loop, which has no iterations: its container is empty from the start or after the first operation",
			"a container with elements, filled again if an operation empties it")
	}
}

// onlyLoop returns the loop that does all the work of an operation, or nil if there is other work.
// Loops with a condition that may itself be work are ignored.
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

// askers lists methods that return a container's next element or report whether there is one.
var askers = []string{"Len", "Front", "Next", "HasNext", "More", "Scan"}

// asksForMore reports whether a loop runs until a container has no more elements.
func (b *benchmark) asksForMore(s *ast.ForStmt) bool {
	return s.Cond != nil && b.callsOnly(s.Cond, askers...) && !b.mentions(s.Cond, "N") &&
		(hasCall(s.Cond) || contains(s.Cond, func(name *ast.Ident) bool { return name.Name == "nil" }))
}

// callsOnly reports whether a node calls only len, cap and methods with the given names, and does
// not receive from a channel.
func (b *benchmark) callsOnly(n ast.Node, methods ...string) bool {
	only := true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			s, ok := n.Fun.(*ast.SelectorExpr)
			only = only && (ok && slices.Contains(methods, s.Sel.Name) || isBuiltin(b.pkg.info, n.Fun, "len", "cap"))
		case *ast.UnaryExpr:
			only = only && n.Op != token.ARROW
		case *ast.FuncLit:
			only = false
		}
		return only
	})
	return only
}

// meantEmpty matches the names of benchmarks that measure an empty case on purpose.
var meantEmpty = regexp.MustCompile(`(?i)empty|none|nil|zero|noop|miss|(^|\D)0(-\d+)?$`)

// MeantEmpty reports whether, judging by its full name, a benchmark measures an empty case on
// purpose.
func MeantEmpty(name string) bool { return meantEmpty.MatchString(name) }

// idleIn returns the name of a benchmark that is idle according to the output of an instrumented
// test, or "".
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
