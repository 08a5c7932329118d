package record

import (
	"slices"
	"strconv"
	"strings"
)

// Names of the configuration keys. [Keys] describes each key.
const (
	KeyFormat     = "perftrack-run"
	keyTarget     = "target"
	KeyCommit     = "commit"
	keyTree       = "tree"
	KeyBranch     = "branch"
	keyDirty      = "dirty"
	KeyCommitTime = "commit-time"
	keyStatus     = "status"
	keyTrial      = "trial"
	keySide       = "side"
	keyStart      = "start"
	keyEnd        = "end"
	keyTool       = "perftrack-version"
	keyUnits      = "units"
	keyFailures   = "failures"
	keyProtocol   = "protocol"

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

	keyProcedure  = "procedure"
	keyDecision   = "decision"
	keyFamily     = "family"
	keyWays       = "ways"
	keyAlphaShare = "alpha-share"
	keyJudgedBy   = "judged-by"
	keySelection  = "selection"
	keyShard      = "shard"
	keySameCode   = "same-code"
	keyUnreached  = "unreached"
	keyRewritten  = "rewritten"
	keyTests      = "test-files"
	keyLacks      = "lacks"
	keySetupTime  = "check-setup"
	keyRoundTime  = "check-round"
	keyStarved    = "starved"
)

// Values of the keys that can have only one value.
const (
	ProfileScopes = "scopes" // for [KeyProfile]: the rows below are scopes
	PlacementSame = "same"   // for [KeyPlacement]
)

// A Key describes one of perftrack's configuration keys. Any other key in a program's output or an
// imported file is kept as a fact, and perftrack does not interpret it.
type Key struct {
	Name  string
	Role  Role
	SetBy Origin
	Doc   string // description in one sentence

	Fixed   bool // a code change cannot affect the value: it is the same on both sides of a trial
	Common  bool // affects both builds of a trial alike, so it cancels out in their ratio
	Foreign bool // for a header key: has the same meaning in files from other programs
	Parts   int  // maximum number of keys for a long value, with the suffixes -2, -3 and so on; 0 for a single key
}

// A Role is the use of a key in a run.
type Role string

// The roles of keys.
const (
	HeaderKey      Role = "header"      // a field of [Run]
	SampleKey      Role = "sample"      // describes the benchmark or the round of a result
	EnvironmentKey Role = "environment" // identifies the environment
	FactKey        Role = "fact"        // recorded, but not part of any identity
)

// An Origin is the source of a key's values. Values from any other source are not trusted.
type Origin string

// The origins of keys.
const (
	ByMachine   Origin = "machine"   // read from the machine and its operating system
	ByRunner    Origin = "runner"    // how package runner built and ran the benchmarks
	ByProgram   Origin = "program"   // a line printed by the benchmark program
	ByUser      Origin = "user"      // a flag, perftrack.toml or the user's environment variables
	ByPerftrack Origin = "perftrack" // a decision or note made by perftrack
)

// Keys is the table of all of perftrack's configuration keys. The order of the header and
// environment keys determines the text of a run, and therefore its id.
var Keys = []Key{
	{Name: KeyFormat, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Version of the run's text."},
	{Name: keyTarget, Role: HeaderKey, SetBy: ByUser, Doc: "Name of the target in perftrack.toml, or of an import."},
	{Name: KeyCommit, Role: HeaderKey, SetBy: ByPerftrack, Foreign: true, Doc: "Hash of the measured commit."},
	{Name: keyTree, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Hash of the commit's tree."},
	{Name: KeyBranch, Role: HeaderKey, SetBy: ByPerftrack, Foreign: true, Doc: "Checked-out branch."},
	{Name: keyDirty, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Whether the work tree differed from the commit."},
	{Name: KeyCommitTime, Role: HeaderKey, SetBy: ByPerftrack, Foreign: true, Doc: "Time of the commit."},
	{Name: keyStatus, Role: HeaderKey, SetBy: ByPerftrack, Doc: "How much was measured: complete, partial or failed."},
	{Name: keyTrial, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Id shared by interleaved runs."},
	{Name: keySide, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Side of the trial: base or head."},
	{Name: keyStart, Role: HeaderKey, SetBy: ByPerftrack, Doc: "When measuring began."},
	{Name: keyEnd, Role: HeaderKey, SetBy: ByPerftrack, Doc: "When measuring ended."},
	{Name: keyTool, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Version of perftrack."},
	{Name: keyUnits, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Units declared by the program, as JSON."},
	{Name: keyFailures, Role: HeaderKey, SetBy: ByPerftrack, Doc: "Failed benchmarks with their reasons, as JSON."},
	{Name: keyProtocol, Role: HeaderKey, SetBy: ByPerftrack, Parts: MaxProtocolParts, Doc: "Plan of the run and rules of its verdicts, as JSON."},

	{Name: KeyPackage, Role: SampleKey, SetBy: ByProgram, Doc: "Package of the benchmark."},
	{Name: KeySuite, Role: SampleKey, SetBy: ByProgram, Doc: "Suite of the benchmark."},
	{Name: KeyProfile, Role: SampleKey, SetBy: ByProgram, Doc: "The value scopes: the rows are scopes of a profile."},
	{Name: KeyRound, Role: SampleKey, SetBy: ByRunner, Doc: "Number of the round, from 1."},
	{Name: KeyOrder, Role: SampleKey, SetBy: ByRunner, Doc: "Position within the round, from 0."},
	{Name: KeyLayoutSeed, Role: SampleKey, SetBy: ByRunner, Doc: "Seed of the linker's layout of the binary."},
	{Name: KeySlices, Role: SampleKey, SetBy: ByRunner, Doc: "Pairs of slices in the values of a round of alternating sides."},
	{Name: KeySpread, Role: SampleKey, SetBy: ByRunner, Doc: "Standard deviation of the log ratios of the round's pairs of slices."},
	{Name: KeyMean, Role: SampleKey, SetBy: ByRunner, Doc: "Mean of all slices of this side in the round, in ns/op, without waits for a CPU; or of all repetitions in a process."},
	{Name: KeySlow, Role: SampleKey, SetBy: ByRunner, Doc: "Part of these slices or repetitions, 0 to 1, that take far longer than most."},

	{Name: KeyGOOS, Role: EnvironmentKey, SetBy: ByMachine, Fixed: true, Doc: "Operating system, as Go names it."},
	{Name: KeyGOARCH, Role: EnvironmentKey, SetBy: ByMachine, Fixed: true, Doc: "Architecture, as Go names it."},
	{Name: KeyCPU, Role: EnvironmentKey, SetBy: ByMachine, Fixed: true, Doc: "Model of the processor."},
	{Name: KeyCPUCount, Role: EnvironmentKey, SetBy: ByMachine, Fixed: true, Doc: "Number of CPUs."},
	{Name: KeyGOMAXPROCS, Role: EnvironmentKey, SetBy: ByRunner, Doc: "GOMAXPROCS of the benchmark processes; in names: each at its name's -N."},
	{Name: KeyGoVersion, Role: EnvironmentKey, SetBy: ByRunner, Doc: "Version of the Go toolchain."},
	{Name: KeyGOAMD64, Role: EnvironmentKey, SetBy: ByRunner, Doc: "Instruction set level of an amd64 build."},
	{Name: KeyBuildFlags, Role: EnvironmentKey, SetBy: ByUser, Doc: "Settings of GOFLAGS and GOEXPERIMENT that change machine code."},
	{Name: KeyGovernor, Role: EnvironmentKey, SetBy: ByMachine, Common: true, Doc: "Frequency governor of the CPUs."},
	{Name: KeySIMD, Role: EnvironmentKey, SetBy: ByProgram, Doc: "The program's code path for this processor."},
	{Name: KeyLayout, Role: EnvironmentKey, SetBy: ByUser, Doc: "Treatment of the code's place in memory: rotate, seed, accept or default."},
	{Name: KeyMachine, Role: EnvironmentKey, SetBy: ByUser, Fixed: true, Common: true, Doc: "Label of the machine, from PERFTRACK_MACHINE."},
	{Name: KeyCPUAffinity, Role: EnvironmentKey, SetBy: ByUser, Fixed: true, Doc: "CPUs of pinned benchmarks."},
	{Name: KeyGOGC, Role: EnvironmentKey, SetBy: ByUser, Fixed: true, Doc: "GOGC, if set."},
	{Name: KeyGOMEMLIMIT, Role: EnvironmentKey, SetBy: ByUser, Fixed: true, Doc: "GOMEMLIMIT, if set."},
	{Name: KeyGODEBUG, Role: EnvironmentKey, SetBy: ByUser, Fixed: true, Doc: "GODEBUG, if set."},

	{Name: KeyProcs, Role: FactKey, SetBy: ByRunner, Doc: "List of GOMAXPROCS of each benchmark, if names have it."},
	{Name: KeyHost, Role: FactKey, SetBy: ByMachine, Doc: "Name of the host."},
	{Name: KeyKernel, Role: FactKey, SetBy: ByMachine, Doc: "Release of the kernel; an update must not cut a history in two."},
	{Name: KeyLoad, Role: FactKey, SetBy: ByMachine, Doc: "Load of the machine over the minute before measuring."},
	{Name: KeyCPUMHz, Role: FactKey, SetBy: ByMachine, Doc: "Frequency of the first CPU before measuring."},
	{Name: KeyPlacement, Role: FactKey, SetBy: ByRunner, Doc: "The value same: both sides of the trial ran the same binary."},
	{Name: KeyMeasured, Role: FactKey, SetBy: ByPerftrack, Doc: "Of a profile's run: the suite of its scopes."},
	{Name: KeyIsolated, Role: FactKey, SetBy: ByRunner, Doc: "Tool that isolated the benchmarks, if any."},
	{Name: KeyCheckout, Role: FactKey, SetBy: ByPerftrack, Doc: "Parts of the source missing in the checkout."},
	{Name: KeyCode, Role: FactKey, SetBy: ByRunner, Doc: "Hash of the measured machine code and of the files beside it."},
	{Name: KeyCarried, Role: FactKey, SetBy: ByPerftrack, Doc: "Id of the measured run with the same machine code, valid for this commit, too."},
	{Name: KeyGenerated, Role: FactKey, SetBy: ByProgram, Doc: "When an imported report was written, by its own account."},
	{Name: KeyBlob, Role: FactKey, SetBy: ByPerftrack, Doc: "The git object of the imported file."},
	{Name: KeyResult, Role: FactKey, SetBy: ByProgram, Doc: "Result of the profiled program."},
	{Name: KeyParameters, Role: FactKey, SetBy: ByProgram, Doc: "Number of parameters of each model in the rows, as Small=470528."},
	{Name: KeyFLOPs, Role: FactKey, SetBy: ByProgram, Doc: "Floating point operations for one element of each kernel in the rows, as GELU=9."},
	{Name: KeyExamples, Role: FactKey, SetBy: ByProgram, Doc: "How many examples a call of each scope learns from, as train_epoch=8."},
	{Name: KeyPeak, Role: FactKey, SetBy: ByProgram, Doc: "Peak GFLOPS of the machine; kernels are shown as shares of it."},
	{Name: KeyProcess, Role: FactKey, SetBy: ByRunner, Parts: MaxParts, Doc: "Of a profile's run: memory and collections of each round's process, as JSON."},
	{Name: KeyCycles, Role: FactKey, SetBy: ByProgram, Doc: "Number of garbage collections while a profile's scopes were timed."},
	{Name: KeyPause, Role: FactKey, SetBy: ByProgram, Doc: "Nanoseconds of garbage collector pauses meanwhile."},
	{Name: KeyResident, Role: FactKey, SetBy: ByProgram, Doc: "Peak memory of the program in bytes, as the operating system counts."},
	{Name: KeyHeap, Role: FactKey, SetBy: ByProgram, Doc: "Peak heap of the program in bytes."},
	{Name: KeyToolchain, Role: FactKey, SetBy: ByProgram, Doc: "Toolchain of a result from the Go project's builders: one of the two compared."},

	// Facts that older versions wrote instead of a protocol.
	{Name: keyProcedure, Role: FactKey, SetBy: ByPerftrack, Doc: "How the trial is decided; without it, by rounds of a fixed number."},
	{Name: keyDecision, Role: FactKey, SetBy: ByPerftrack, Doc: "Rules of the trial's decision."},
	{Name: keyFamily, Role: FactKey, SetBy: ByPerftrack, Doc: "Targets measured together with one error rate."},
	{Name: keyWays, Role: FactKey, SetBy: ByRunner, Parts: MaxParts, Doc: "How each benchmark of a trial was measured, as JSON."},
	{Name: keyAlphaShare, Role: FactKey, SetBy: ByPerftrack, Doc: "Part of alpha of a further check of the same commits."},
	{Name: keyJudgedBy, Role: FactKey, SetBy: ByPerftrack, Parts: MaxParts, Doc: "Alpha, thresholds and known noise of a check, as JSON."},
	{Name: keySelection, Role: FactKey, SetBy: ByPerftrack, Doc: "Which benchmarks of the target were to be measured."},
	{Name: keyUnreached, Role: FactKey, SetBy: ByPerftrack, Doc: "Benchmarks left out, by package, because they reach no changed code."},
	{Name: keyShard, Role: FactKey, SetBy: ByPerftrack, Doc: "Which part of the target's benchmarks was to be measured, of how many, and how all are divided."},
	{Name: keySameCode, Role: FactKey, SetBy: ByPerftrack, Doc: "Packages left out because both sides have the same machine code."},
	{Name: keyRewritten, Role: FactKey, SetBy: ByPerftrack, Doc: "Benchmarks with different code on the two sides: not comparable."},
	{Name: keyTests, Role: FactKey, SetBy: ByPerftrack, Parts: MaxParts, Doc: "Edited and new benchmarks, both sides measured with the test files of one, as JSON."},
	{Name: keyLacks, Role: FactKey, SetBy: ByPerftrack, Doc: "Benchmarks of the other side alone."},
	{Name: keySetupTime, Role: FactKey, SetBy: ByPerftrack, Doc: "How long a check took until the first round of its target."},
	{Name: keyRoundTime, Role: FactKey, SetBy: ByPerftrack, Doc: "How long a round of a check took at most."},
	{Name: keyStarved, Role: FactKey, SetBy: ByPerftrack, Doc: "Why the budget of a check left no time for this target."},
}

// EnvironmentKeys lists the keys that identify an environment (version 1). Values from environments
// with different identities are never compared. The kernel, host, load and measured frequency are
// recorded as facts instead, because a kernel update must not split a machine's history.
//
// The last four keys are set only if benchmarks are pinned to CPUs, or if the garbage collector or
// debug settings differ from Go's defaults.
var EnvironmentKeys = named(EnvironmentKey)

var keysByName = func() map[string]Key {
	index := map[string]Key{}
	for _, k := range Keys {
		index[k.Name] = k
	}
	return index
}()

// named returns the names of the keys with the given role, in table order.
func named(role Role) (names []string) {
	for _, k := range Keys {
		if k.Role == role {
			names = append(names, k.Name)
		}
	}
	return names
}

// Lookup returns the table's entry for a key; ok is false if the key is unknown.
func Lookup(name string) (k Key, ok bool) {
	if k, ok = keysByName[name]; ok {
		return k, true
	}
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		n, err := strconv.Atoi(name[i+1:])
		k = keysByName[name[:i]]
		if err == nil && n > 1 && n <= k.Parts && NumberedKey(k.Name, n) == name {
			return k, true
		}
	}
	return Key{}, false
}

// NumberedKey returns the key for the n-th part of a value spread over several keys; n starts at 1.
func NumberedKey(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + "-" + strconv.Itoa(n)
}

// RoleOf returns the role of a key. An unknown key is a fact.
func RoleOf(name string) Role {
	if k, ok := Lookup(name); ok {
		return k.Role
	}
	return FactKey
}

// FromProgram reports whether a benchmark program may set the key by printing a line. Programs may
// set unknown keys and the keys with the origin [ByProgram] in [Keys].
func FromProgram(name string) bool {
	k, ok := Lookup(name)
	return !ok || k.SetBy == ByProgram
}

// ProgramKeys returns the keys with the given role that a benchmark program may set.
func ProgramKeys(role Role) []string {
	return slices.DeleteFunc(named(role), func(name string) bool { return !FromProgram(name) })
}
