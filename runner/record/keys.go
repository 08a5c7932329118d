package record

import (
	"slices"
	"strconv"
	"strings"
)

// The names of the configuration keys, each described in [Keys].
const (
	KeyFormat     = "perftrack-run"
	keyTarget     = "target"
	keyCommit     = "commit"
	keyTree       = "tree"
	keyBranch     = "branch"
	keyDirty      = "dirty"
	keyCommitTime = "commit-time"
	keyStatus     = "status"
	keyTrial      = "trial"
	keySide       = "side"
	keyStart      = "start"
	keyEnd        = "end"
	keyTool       = "perftrack-version"
	keyUnits      = "units"
	keyFailures   = "failures"

	KeyPackage    = "pkg"
	KeySuite      = "suite"
	KeyProfile    = "profile"
	KeyRound      = "round"
	KeyOrder      = "order"
	KeyLayoutSeed = "layout-seed"
	KeySlices     = "slices"
	KeySpread     = "slice-spread"
	KeyMean       = "slice-mean"
	KeySlow       = "slow-slices"

	KeyGOOS        = "goos"
	KeyGOARCH      = "goarch"
	KeyCPU         = "cpu"
	KeyCPUCount    = "cpu-count"
	KeyGOMAXPROCS  = "gomaxprocs"
	KeyGoVersion   = "goversion"
	KeyGOAMD64     = "goamd64"
	KeyBuildFlags  = "build-flags"
	KeyGovernor    = "cpu-governor"
	KeySIMD        = "simd"
	KeyLayout      = "layout"
	KeyMachine     = "machine"
	KeyCPUAffinity = "cpu-affinity"
	KeyGOGC        = "gogc"
	KeyGOMEMLIMIT  = "gomemlimit"
	KeyGODEBUG     = "godebug"

	KeyProcs      = "procs"
	KeyHost       = "host"
	KeyKernel     = "kernel"
	KeyLoad       = "load"
	KeyCPUMHz     = "cpu-mhz"
	KeyPlacement  = "placement"
	KeyProcedure  = "procedure"
	KeyDecision   = "decision"
	KeyFamily     = "family"
	KeyWays       = "ways"
	KeyAlphaShare = "alpha-share"
	KeyJudgedBy   = "judged-by"
	KeySelection  = "selection"
	KeyShard      = "shard"
	KeySameCode   = "same-code"
	KeyUnreached  = "unreached"
	KeyRewritten  = "rewritten"
	KeyTests      = "test-files"
	KeyLacks      = "lacks"
	KeySetupTime  = "check-setup"
	KeyRoundTime  = "check-round"
	KeyStarved    = "starved"
	KeyMeasured   = "measured"
	KeyIsolated   = "isolated"
	KeyCheckout   = "checkout"
	KeyBlob       = "blob"
	KeyResult     = "result"
	KeyParameters = "model-parameters"
	KeyFLOPs      = "flops-per-element"
	KeyExamples   = "examples-per-call"
	KeyPeak       = "peak-gflops"
	KeyProcess    = "process"
	KeyCycles     = "gc-cycles"
	KeyPause      = "gc-pause-ns"
	KeyHeap       = "peak-heap-bytes"
	KeyResident   = "peak-resident-bytes"
	KeyToolchain  = "toolchain"
	KeyCode       = "machine-code"
	KeyCarried    = "carried-over"
	KeyGenerated  = "generated"
)

// The values of keys that have but one.
const (
	ProfileScopes = "scopes" // of [KeyProfile]: the rows below are scopes
	PlacementSame = "same"   // of [KeyPlacement]
)

// A Key describes a configuration key that perftrack knows. Whatever else a program
// prints or an imported file says is kept as a fact and means nothing to perftrack.
type Key struct {
	Name  string
	Role  Role
	SetBy Origin
	Doc   string // one sentence

	Fixed    bool // no change of the code changes it: both sides of a trial have the same value
	Common   bool // acts on both builds of a trial alike, so that it cancels out of their ratio
	Foreign  bool // of a header key: means the same in the files of other programs
	Numbered bool // a long value goes on under the name with -2, -3 and so on
}

// A Role is what a key is to a run.
type Role string

// The roles of keys.
const (
	HeaderKey      Role = "header"      // a field of [Run]
	SampleKey      Role = "sample"      // says which benchmark, or which round, a result is of
	EnvironmentKey Role = "environment" // identifies the environment
	FactKey        Role = "fact"        // recorded, and part of no identity
)

// An Origin says who sets a key. Values from anybody else are not believed.
type Origin string

// The origins of keys.
const (
	ByMachine   Origin = "machine"   // read from the machine and its operating system
	ByRunner    Origin = "runner"    // how package runner built and ran the benchmarks
	ByProgram   Origin = "program"   // a line that the benchmark program prints
	ByUser      Origin = "user"      // a flag, perftrack.toml or the user's variables
	ByPerftrack Origin = "perftrack" // what perftrack decided, or noted of a run
)

// Keys is the table of all configuration keys that perftrack knows. The header and the
// environment stand in the order in which a run's text has them, which its id depends on.
var Keys = []Key{
	{Name: KeyFormat, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Version of the run's text."},
	{Name: keyTarget, Role: HeaderKey, SetBy: ByUser, Doc: "Name of the target in perftrack.toml, or of an import."},
	{Name: keyCommit, Role: HeaderKey, SetBy: ByPerftrack, Foreign: true, Doc: "Hash of the measured commit."},
	{Name: keyTree, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Hash of the commit's tree."},
	{Name: keyBranch, Role: HeaderKey, SetBy: ByPerftrack, Foreign: true, Doc: "Branch that was checked out."},
	{Name: keyDirty, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Whether the work tree differed from the commit."},
	{Name: keyCommitTime, Role: HeaderKey, SetBy: ByPerftrack, Foreign: true, Doc: "Time of the commit."},
	{Name: keyStatus, Role: HeaderKey, SetBy: ByPerftrack, Doc: "How much was measured: complete, partial or failed."},
	{Name: keyTrial, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Id shared by the runs that were measured interleaved."},
	{Name: keySide, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Side of the trial: base or head."},
	{Name: keyStart, Role: HeaderKey, SetBy: ByPerftrack, Doc: "When measuring began."},
	{Name: keyEnd, Role: HeaderKey, SetBy: ByPerftrack, Doc: "When measuring ended."},
	{Name: keyTool, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Version of perftrack."},
	{Name: keyUnits, Role: HeaderKey, SetBy: ByPerftrack, Doc: "What the program declared of its units, as JSON."},
	{Name: keyFailures, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Benchmarks that failed and why, as JSON."},

	{Name: KeyPackage, Role: SampleKey, SetBy: ByProgram, Doc: "Package of the benchmark."},
	{Name: KeySuite, Role: SampleKey, SetBy: ByProgram, Doc: "Suite of the benchmark."},
	{Name: KeyProfile, Role: SampleKey, SetBy: ByProgram, Doc: "The value scopes: the rows are scopes of a profile."},
	{Name: KeyRound, Role: SampleKey, SetBy: ByRunner, Doc: "Number of the round, from 1."},
	{Name: KeyOrder, Role: SampleKey, SetBy: ByRunner, Doc: "Position within the round, from 0."},
	{Name: KeyLayoutSeed, Role: SampleKey, SetBy: ByRunner, Doc: "Seed of the linker's layout of the binary."},
	{Name: KeySlices, Role: SampleKey, SetBy: ByRunner, Doc: "Pairs of slices that the values of a round were made of, where the sides took turns."},
	{Name: KeySpread, Role: SampleKey, SetBy: ByRunner, Doc: "Standard deviation of the log ratios of the round's pairs of slices."},
	{Name: KeyMean, Role: SampleKey, SetBy: ByRunner, Doc: "Mean of all slices of this side in the round, in ns/op: none left out, waits for a CPU taken off."},
	{Name: KeySlow, Role: SampleKey, SetBy: ByRunner, Doc: "Part of this side's slices, 0 to 1, that take far longer than its others."},

	{Name: KeyGOOS, Role: EnvironmentKey, SetBy: ByMachine, Fixed: true, Doc: "Operating system, as Go names it."},
	{Name: KeyGOARCH, Role: EnvironmentKey, SetBy: ByMachine, Fixed: true, Doc: "Architecture, as Go names it."},
	{Name: KeyCPU, Role: EnvironmentKey, SetBy: ByMachine, Fixed: true, Doc: "Model of the processor."},
	{Name: KeyCPUCount, Role: EnvironmentKey, SetBy: ByMachine, Fixed: true, Doc: "Number of CPUs."},
	{Name: KeyGOMAXPROCS, Role: EnvironmentKey, SetBy: ByRunner, Doc: "GOMAXPROCS of the benchmark processes; in names: each at that of its name."},
	{Name: KeyGoVersion, Role: EnvironmentKey, SetBy: ByRunner, Doc: "Version of the Go toolchain."},
	{Name: KeyGOAMD64, Role: EnvironmentKey, SetBy: ByRunner, Doc: "Instruction set level of an amd64 build."},
	{Name: KeyBuildFlags, Role: EnvironmentKey, SetBy: ByUser, Doc: "What GOFLAGS and GOEXPERIMENT say that changes machine code."},
	{Name: KeyGovernor, Role: EnvironmentKey, SetBy: ByMachine, Common: true, Doc: "Frequency governor of the CPUs."},
	{Name: KeySIMD, Role: EnvironmentKey, SetBy: ByProgram, Doc: "Code path that the program chose for this processor."},
	{Name: KeyLayout, Role: EnvironmentKey, SetBy: ByUser, Doc: "What is done about where the code of a build lies."},
	{Name: KeyMachine, Role: EnvironmentKey, SetBy: ByUser, Fixed: true, Common: true, Doc: "Label of the machine, from PERFTRACK_MACHINE."},
	{Name: KeyCPUAffinity, Role: EnvironmentKey, SetBy: ByUser, Fixed: true, Doc: "CPUs that the benchmarks were pinned to."},
	{Name: KeyGOGC, Role: EnvironmentKey, SetBy: ByUser, Fixed: true, Doc: "GOGC, where it is set."},
	{Name: KeyGOMEMLIMIT, Role: EnvironmentKey, SetBy: ByUser, Fixed: true, Doc: "GOMEMLIMIT, where it is set."},
	{Name: KeyGODEBUG, Role: EnvironmentKey, SetBy: ByUser, Fixed: true, Doc: "GODEBUG, where it is set."},

	{Name: KeyProcs, Role: FactKey, SetBy: ByRunner, Doc: "List of GOMAXPROCS at which each benchmark was measured, where names have it."},
	{Name: KeyHost, Role: FactKey, SetBy: ByMachine, Doc: "Name of the host."},
	{Name: KeyKernel, Role: FactKey, SetBy: ByMachine, Doc: "Release of the kernel; an update must not cut a history in two."},
	{Name: KeyLoad, Role: FactKey, SetBy: ByMachine, Doc: "Load of the machine over the minute before measuring."},
	{Name: KeyCPUMHz, Role: FactKey, SetBy: ByMachine, Doc: "Frequency of the first CPU before measuring."},
	{Name: KeyPlacement, Role: FactKey, SetBy: ByRunner, Doc: "The value same: both sides of the trial ran the same binary."},
	{Name: KeyProcedure, Role: FactKey, SetBy: ByPerftrack, Doc: "How the trial is decided; without it, by rounds of a fixed number."},
	{Name: KeyDecision, Role: FactKey, SetBy: ByPerftrack, Doc: "The test that decides the trial; without it, the one of the first version."},
	{Name: KeyFamily, Role: FactKey, SetBy: ByPerftrack, Doc: "The targets that were measured together and share one error rate."},
	{Name: KeyWays, Role: FactKey, SetBy: ByRunner, Numbered: true, Doc: "How each benchmark of a trial was measured, as JSON."},
	{Name: KeyAlphaShare, Role: FactKey, SetBy: ByPerftrack, Doc: "The part of alpha that a further check of the same commits has."},
	{Name: KeyJudgedBy, Role: FactKey, SetBy: ByPerftrack, Numbered: true, Doc: "Alpha, thresholds and known noise of a check, as JSON."},
	{Name: KeySelection, Role: FactKey, SetBy: ByPerftrack, Doc: "Which benchmarks of the target were to be measured."},
	{Name: KeyUnreached, Role: FactKey, SetBy: ByPerftrack, Doc: "Benchmarks left out, by package, because they reach no changed code."},
	{Name: KeyShard, Role: FactKey, SetBy: ByPerftrack, Doc: "Which part of the target's benchmarks was to be measured, of how many, and how all are divided."},
	{Name: KeySameCode, Role: FactKey, SetBy: ByPerftrack, Doc: "Packages left out because both sides have the same machine code."},
	{Name: KeyRewritten, Role: FactKey, SetBy: ByPerftrack, Doc: "Benchmarks that differ between the sides, so that nothing can be compared."},
	{Name: KeyTests, Role: FactKey, SetBy: ByPerftrack, Numbered: true, Doc: "Benchmarks that were edited or are new, and were measured with the test files of one side on both, as JSON."},
	{Name: KeyLacks, Role: FactKey, SetBy: ByPerftrack, Doc: "Benchmarks that only the other side has."},
	{Name: KeySetupTime, Role: FactKey, SetBy: ByPerftrack, Doc: "How long a check took until the first round of its target."},
	{Name: KeyRoundTime, Role: FactKey, SetBy: ByPerftrack, Doc: "How long a round of a check took at most."},
	{Name: KeyStarved, Role: FactKey, SetBy: ByPerftrack, Doc: "Why the budget of a check left no time for this target."},
	{Name: KeyMeasured, Role: FactKey, SetBy: ByPerftrack, Doc: "Of a profile's run: that it has scopes, and of which suite."},
	{Name: KeyIsolated, Role: FactKey, SetBy: ByRunner, Doc: "What the benchmarks were isolated by, where they were."},
	{Name: KeyCheckout, Role: FactKey, SetBy: ByPerftrack, Doc: "What the checkout left out of the source."},
	{Name: KeyCode, Role: FactKey, SetBy: ByRunner, Doc: "Hash of the machine code of all that was measured, and of the files beside it."},
	{Name: KeyCarried, Role: FactKey, SetBy: ByPerftrack, Doc: "Id of the run that counts for this commit, too, which has the same machine code and was not measured."},
	{Name: KeyGenerated, Role: FactKey, SetBy: ByProgram, Doc: "When an imported report was written, by its own account."},
	{Name: KeyBlob, Role: FactKey, SetBy: ByPerftrack, Doc: "The git object from which the run was imported."},
	{Name: KeyResult, Role: FactKey, SetBy: ByProgram, Doc: "What the profiled program computed."},
	{Name: KeyParameters, Role: FactKey, SetBy: ByProgram, Doc: "Number of parameters of each model that the rows name, as Small=470528."},
	{Name: KeyFLOPs, Role: FactKey, SetBy: ByProgram, Doc: "Floating point operations for one element of each kernel that the rows name, as GELU=9."},
	{Name: KeyExamples, Role: FactKey, SetBy: ByProgram, Doc: "How many examples a call of each scope learns from, as train_epoch=8."},
	{Name: KeyPeak, Role: FactKey, SetBy: ByProgram, Doc: "GFLOPS that the machine can reach, of which kernels are shown as shares."},
	{Name: KeyProcess, Role: FactKey, SetBy: ByRunner, Numbered: true, Doc: "Of a profile's run: what memory the process of each round needed, and how often it collected, as JSON."},
	{Name: KeyCycles, Role: FactKey, SetBy: ByProgram, Doc: "How often the garbage collector ran while a profile's scopes were timed."},
	{Name: KeyPause, Role: FactKey, SetBy: ByProgram, Doc: "How many nanoseconds the garbage collector stopped the program for meanwhile."},
	{Name: KeyResident, Role: FactKey, SetBy: ByProgram, Doc: "How many bytes of memory the program had at most, as the operating system counts."},
	{Name: KeyHeap, Role: FactKey, SetBy: ByProgram, Doc: "How many bytes the program's heap had at most."},
	{Name: KeyToolchain, Role: FactKey, SetBy: ByProgram, Doc: "Which of two toolchains a result of the Go project's builders is of."},
}

// EnvironmentKeys are the keys whose values together are an environment's
// identity, version 1. Numbers of different identities are never compared.
// Kernel, host, load and measured frequency are recorded beside it, because a
// kernel update must not cut the history of a machine in two.
//
// The last four are there only where the user asked for something: benchmarks
// bound to CPUs, or another garbage collector than Go's default.
var EnvironmentKeys = named(EnvironmentKey)

var keysByName = func() map[string]Key {
	index := map[string]Key{}
	for _, k := range Keys {
		index[k.Name] = k
	}
	return index
}()

// named returns the names of the keys of a role, in the order of the table.
func named(role Role) (names []string) {
	for _, k := range Keys {
		if k.Role == role {
			names = append(names, k.Name)
		}
	}
	return names
}

// Lookup returns what the table says of a key. ok is false for one that perftrack
// does not know.
func Lookup(name string) (k Key, ok bool) {
	if k, ok = keysByName[name]; ok {
		return k, true
	}
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		n, err := strconv.Atoi(name[i+1:])
		k = keysByName[name[:i]]
		if k.Numbered && err == nil && n > 1 && n <= MaxParts && NumberedKey(k.Name, n) == name {
			return k, true
		}
	}
	return Key{}, false
}

// NumberedKey is the name of the n-th part of a numbered key's value, n from 1.
func NumberedKey(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + "-" + strconv.Itoa(n)
}

// RoleOf returns the role of a key. One that perftrack does not know is a fact.
func RoleOf(name string) Role {
	if k, ok := Lookup(name); ok {
		return k.Role
	}
	return FactKey
}

var sampleKeys = named(SampleKey)

// isSampleKey reports whether a key is of the single sample; it is asked for each key of each.
func isSampleKey(name string) bool { return slices.Contains(sampleKeys, name) }

// FromProgram reports whether a benchmark program may set the key by a line that it
// prints: one that is its own to say, or that perftrack does not know.
func FromProgram(name string) bool {
	k, ok := Lookup(name)
	return !ok || k.SetBy == ByProgram
}

// ProgramKeys are the keys of a role that a benchmark program may set.
func ProgramKeys(role Role) []string {
	return slices.DeleteFunc(named(role), func(name string) bool { return !FromProgram(name) })
}
