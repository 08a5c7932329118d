package vet

// A Rule names a kind of fault.
type Rule string

// The rules that examine the source. Each is documented in faults.
const (
	NoLoop        Rule = "no-loop"
	SizeOfN       Rule = "n-as-size"
	MixedLoops    Rule = "mixed-loops"
	OuterB        Rule = "outer-b"
	Parallel      Rule = "parallel-loop"
	LeftEarly     Rule = "left-early"
	TimerReset    Rule = "timer-reset"
	TimerStopped  Rule = "timer-stopped"
	Discarded     Rule = "unused-result"
	SetupInLoop   Rule = "setup-in-loop"
	SetupTimed    Rule = "setup-timed"
	Prints        Rule = "prints"
	Sleeps        Rule = "sleeps"
	Defers        Rule = "defers"
	Unawaited     Rule = "unawaited"
	ChangedInput  Rule = "changed-input"
	ConsumedRead  Rule = "read-once"
	Grows         Rule = "grows"
	Unseeded      Rule = "random-input"
	LoopVariable  Rule = "size-of-i"
	ConstantInput Rule = "constant-input"
	Memoised      Rule = "memoised"
	LateVariable  Rule = "late-variable"
	UntimedWait   Rule = "untimed-wait"
	SharedLock    Rule = "shared-lock"
	SetBytes      Rule = "set-bytes"
	ByteSteps     Rule = "byte-steps"
	IgnoredError  Rule = "ignored-error"
	Idle          Rule = "nothing-done"
)

// faults documents each rule for [Analyzers]. Rules whose findings are only suspected, such as
// IgnoredError and Idle, report nothing there.
var faults = []struct {
	rule Rule
	doc  string
}{
	{NoLoop, "benchmark has no loop over b.N or b.Loop()"},
	{SizeOfN, "work per operation depends on b.N"},
	{MixedLoops, "b.Loop and b.N in one benchmark"},
	{OuterB, "sub-benchmark uses the b of the function around it"},
	{Parallel, "body of b.RunParallel does not call pb.Next"},
	{LeftEarly, "loop may end before its last operation"},
	{TimerReset, "b.ResetTimer in the loop discards measured time"},
	{TimerStopped, "timer is stopped during most of the loop"},
	{Discarded, "unused result: the compiler may remove the work"},
	{SetupInLoop, "preparation is measured with every operation"},
	{SetupTimed, "preparation before the loop is measured"},
	{Prints, "output is measured"},
	{Sleeps, "sleeping is measured"},
	{Defers, "deferred calls pile up until after the loop"},
	{Unawaited, "goroutines outlive the loop"},
	{ChangedInput, "the first operation changes the input of the others"},
	{ConsumedRead, "the first operation reads a reader to its end"},
	{Grows, "a variable grows with every operation"},
	{Unseeded, "every process measures different random input"},
	{LoopVariable, "work per operation depends on the operation's number"},
	{ConstantInput, "the compiler may compute the result from constant arguments"},
	{Memoised, "all operations but the first get a stored result"},
	{LateVariable, "sub-benchmarks run after a variable they use has changed"},
	{UntimedWait, "work started by the loop is awaited while the timer is stopped"},
	{SharedLock, "goroutines wait for the benchmark's own lock"},
	{SetBytes, "b.SetBytes counts more bytes than one operation processes"},
	{ByteSteps, "each byte counts as an operation"},
	{IgnoredError, "the measured call fails"},
	{Idle, "an operation loops over an empty container"},
}

// checks lists the functions that apply the rules to one benchmark.
var checks = []func(*benchmark){
	(*benchmark).noLoop, (*benchmark).sizeOfN, (*benchmark).mixedLoops, (*benchmark).outerB, (*benchmark).parallelBody,
	(*benchmark).leftEarly, (*benchmark).timer, (*benchmark).discarded, (*benchmark).setupInLoop, (*benchmark).setupTimed,
	(*benchmark).effects, (*benchmark).changedInput, (*benchmark).readOnce, (*benchmark).grows, (*benchmark).unseeded,
	(*benchmark).sizeOfI, (*benchmark).constantInput, (*benchmark).memoised, (*benchmark).lateVariable, (*benchmark).untimedWait,
	(*benchmark).sharedLock, (*benchmark).setBytes, (*benchmark).byteSteps, (*benchmark).skipsStart,
	(*benchmark).ignoredErrors, (*benchmark).idle, (*benchmark).waitsFor,
}
