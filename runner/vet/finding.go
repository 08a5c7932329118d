package vet

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
)

// A Finding is a fault in a benchmark that makes its result mean something other than it seems to.
type Finding struct {
	Rule      Rule
	File      string // file name as printed by the go command
	Line      int
	Pos       token.Pos // position in the package's files
	Package   string    // import path
	Benchmark string    // function name, such as BenchmarkSort
	Found     string    // description of the fault
	Remedy    string    // noun phrase that describes the code to write instead
	Sure      Confidence
}

// Confidence is how certain a finding is.
type Confidence int

// The degrees of confidence, in ascending order.
const (
	Suspected Confidence = iota // not a finding unless a run of the benchmark confirms it
	Possible                    // worth checking, but the code may be intentional
	Likely                      // rarely intentional
	Certain
)

func (c Confidence) String() string {
	return [...]string{"suspected", "possible", "likely", "certain"}[c]
}

// report adds a finding at a node.
func (b *benchmark) report(rule Rule, at ast.Node, sure Confidence, found, remedy string) {
	position := b.pkg.positions.Position(at.Pos())
	b.found = append(b.found, Finding{
		Rule: rule, File: position.Filename, Line: position.Line, Pos: at.Pos(), Package: b.pkg.ImportPath,
		Benchmark: b.name, Found: found, Remedy: remedy, Sure: sure,
	})
}

// Findings applies all rules to the package's benchmarks and returns the findings in source order.
func (p *Package) Findings() (found []Finding) {
	p.edits = nil
	for _, b := range p.benchmarks() {
		for _, check := range checks {
			check(b)
		}
		found = append(found, b.found...)
	}
	return Sorted(found)
}

// Sorted sorts findings by file, line and rule, and removes duplicates on the same line.
func Sorted(found []Finding) []Finding {
	slices.SortStableFunc(found, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Rule, y.Rule))
	})
	return slices.CompactFunc(found, func(x, y Finding) bool {
		x.Pos = y.Pos
		return x == y
	})
}

// Benchmarks returns, for each benchmark function in the package, a finding at its declaration
// without a rule. Faults that show only when benchmarks run are reported as copies of these
// findings.
func (p *Package) Benchmarks() (declared []Finding) {
	for _, b := range p.benchmarks() {
		if d, ok := b.decl.(*ast.FuncDecl); ok && d.Recv == nil {
			position := p.positions.Position(d.Pos())
			declared = append(declared, Finding{File: position.Filename, Line: position.Line, Pos: d.Pos(), Package: p.ImportPath, Benchmark: b.name})
		}
	}
	return declared
}
