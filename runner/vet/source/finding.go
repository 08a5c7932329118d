package source

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
)

// A Finding is one thing that makes a benchmark's figure say something else than it seems to.
type Finding struct {
	Rule      Rule
	File      string // as the go command names it
	Line      int
	Package   string // import path
	Benchmark string // the function, as BenchmarkSort
	Found     string // what is there
	Remedy    string // what to write instead
	Sure      Confidence
}

// Confidence is how sure a finding is.
type Confidence int

// The degrees of confidence, in ascending order.
const (
	Suspected Confidence = iota // nothing unless a run of the benchmark confirms it
	Possible                    // worth a look: it may be what is meant
	Likely                      // it takes a good reason to be right
	Certain
)

func (c Confidence) String() string {
	return [...]string{"suspected", "possible", "likely", "certain"}[c]
}

// Rule names what a finding is about.
type Rule string

// The rules over source.
const (
	NoLoop       Rule = "no-loop"       // nothing is repeated b.N times
	SizeOfN      Rule = "n-as-size"     // the work of one operation depends on b.N
	MixedLoops   Rule = "mixed-loops"   // b.Loop and b.N in one benchmark
	OuterB       Rule = "outer-b"       // a sub-benchmark uses the b of the function around it
	Parallel     Rule = "parallel-loop" // the body of RunParallel does not ask pb.Next
	LeftEarly    Rule = "left-early"    // the loop ends before its last operation
	TimerReset   Rule = "timer-reset"   // the loop throws its own time away
	TimerStopped Rule = "timer-stopped" // the timer stands for most of the time
	Discarded    Rule = "unused-result" // the compiler may leave out what nobody reads
	SetupInLoop  Rule = "setup-in-loop" // preparation is measured with every operation
	SetupTimed   Rule = "setup-timed"   // preparation before the loop is measured
	Prints       Rule = "prints"        // output is measured
	Sleeps       Rule = "sleeps"        // waiting is measured
	Defers       Rule = "defers"        // deferred calls pile up until after the loop
	Unawaited    Rule = "unawaited"     // goroutines outlive the loop
	ChangedInput Rule = "changed-input" // later operations see what earlier ones left
	ConsumedRead Rule = "read-once"     // later operations find a reader at its end
	Grows        Rule = "grows"         // every operation adds to what stays
	Unseeded     Rule = "random-input"  // every process measures other inputs
	LoopVariable Rule = "size-of-i"     // the work of one operation depends on its number

	ConstantInput Rule = "constant-input" // the compiler may compute what it knows
	Memoised      Rule = "memoised"       // all but the first operation find its result
	LateVariable  Rule = "late-variable"  // sub-benchmarks run after what they use has changed
	UntimedWait   Rule = "untimed-wait"   // what the operations started is awaited while the timer stands
	SharedLock    Rule = "shared-lock"    // goroutines wait for a lock of the benchmark itself
	SetBytes      Rule = "set-bytes"      // more bytes are counted than an operation works on
	ByteSteps     Rule = "byte-steps"     // a byte is counted as an operation
	IgnoredError  Rule = "ignored-error"  // what is measured fails
	Idle          Rule = "nothing-done"   // an operation is a loop over what is empty
)

// report adds a finding at a node.
func (b *benchmark) report(rule Rule, at ast.Node, sure Confidence, found, remedy string) {
	b.reportAt(rule, at.Pos(), sure, found, remedy)
}

func (b *benchmark) reportAt(rule Rule, at token.Pos, sure Confidence, found, remedy string) {
	place := b.pkg.positions.Position(at)
	b.found = append(b.found, Finding{
		Rule: rule, File: place.Filename, Line: place.Line, Package: b.pkg.ImportPath,
		Benchmark: b.name, Found: found, Remedy: remedy, Sure: sure,
	})
}

// rules are applied to each benchmark of a package.
var rules = []func(*benchmark){
	(*benchmark).noLoop, (*benchmark).sizeOfN, (*benchmark).mixedLoops, (*benchmark).outerB, (*benchmark).parallelBody,
	(*benchmark).leftEarly, (*benchmark).timer, (*benchmark).discarded, (*benchmark).setupInLoop, (*benchmark).setupTimed,
	(*benchmark).effects, (*benchmark).changedInput, (*benchmark).readOnce, (*benchmark).grows, (*benchmark).unseeded,
	(*benchmark).sizeOfI, (*benchmark).constantInput, (*benchmark).memoised, (*benchmark).lateVariable, (*benchmark).untimedWait,
	(*benchmark).sharedLock, (*benchmark).setBytes, (*benchmark).byteSteps, (*benchmark).skipsStart,
	(*benchmark).ignoredErrors, (*benchmark).idle, (*benchmark).waitsFor,
}

// Findings applies all rules to the package's benchmarks, in the order of the source.
func (p *Package) Findings() (found []Finding) {
	p.edits = nil
	for _, b := range p.benchmarks() {
		for _, rule := range rules {
			rule(b)
		}
		found = append(found, b.found...)
	}
	return Sorted(found)
}

// Sorted puts findings in the order of the source, each one once.
func Sorted(found []Finding) []Finding {
	slices.SortStableFunc(found, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Rule, y.Rule))
	})
	return slices.Compact(found)
}

// Benchmarks returns the names of the package's benchmark functions and the lines of their
// declarations, for findings that only a run can make.
func (p *Package) Benchmarks() (declared []Finding) {
	for _, b := range p.benchmarks() {
		if d, ok := b.decl.(*ast.FuncDecl); ok && d.Recv == nil {
			place := p.positions.Position(d.Pos())
			declared = append(declared, Finding{File: place.Filename, Line: place.Line, Package: p.ImportPath, Benchmark: b.name})
		}
	}
	return declared
}
