package rust_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const gungraunText = `
running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

fib_bench::group::fib short:10
  Instructions:                1734|1650            (+5.09090%) [+1.04844x]
  L1 Hits:                     2359|2275            (+3.69230%) [+1.03560x]
  RAM Hits:                       3|N/A             (*********)
  LL Hits:                      N/A|4               (*********)
  L1 Hit Rate:              99.8731|N/A             (*********)
  SysTime:                       24|N/A             (*********)
fib_bench::group::fib id:string with two
lines
  ======= CALLGRIND =======================================================
text of the benchmark
  ## pid: 1 thread: 1 part: 1
  Command:             target/release/fib
  Instructions:                   1|N/A             (*********)
  ## pid: 2 thread: 1 part: 1
  Instructions:                   2|N/A             (*********)
  ## Total
  Instructions:                   3|N/A             (*********)
  ======= DHAT ============================================================
  Total bytes:                29499|N/A             (*********)
  ======= MEMCHECK ========================================================
  Errors:                         0|N/A             (*********)
  ======= DRD =============================================================
  Errors:                         1|N/A             (*********)
  Comparison with fib short:10
  Instructions:                   3|4               (*********)

Regressions:

  fib_bench::group::fib short:
    Callgrind: Instructions (1650 -> 1734): +5.09090% exceeds limit of +5.0%

Gungraun result: Regressed. 2 benchmarks finished in 1.002s

iai_short
  Instructions:                1735 (No change)
  L1 Accesses:                 2364
  Estimated Cycles:            2404

  Instructions:                5|N/A
a::b::c
  Instructions:                five|N/A
`

func TestGungraun(t *testing.T) {
	formattest.Check(t, "gungraun", gungraunText, `
		Unit instructions assume=exact
		Unit instructions better=lower
		Unit l1-hits assume=exact
		Unit ram-hits assume=exact
		Unit ram-hits better=lower
		Unit l1-hit-rate assume=exact
		Unit l1-hit-rate better=higher
		Unit systime better=lower
		fib_bench::group::fib_short:10 1 1734 instructions 2359 l1-hits 3 ram-hits 99.8731 l1-hit-rate 24 systime
		Unit total-bytes assume=exact
		Unit total-bytes better=lower
		Unit memcheck-errors assume=exact
		Unit memcheck-errors better=lower
		Unit drd-errors assume=exact
		Unit drd-errors better=lower
		fib_bench::group::fib_id:string_with_two_lines 1 3 instructions 29499 total-bytes 0 memcheck-errors 1 drd-errors
		error f:45: a second figure in instructions
		Unit l1-accesses assume=exact
		Unit estimated-cycles assume=exact
		Unit estimated-cycles better=lower
		iai_short 1 1735 instructions 2364 l1-accesses 2404 estimated-cycles
		error f:47: instructions is "five": not a decimal number
	`)
}

const gungraunJSON = `running 0 tests

{"baselines":[null,null],"benchmark_exe":"x","details":"10","function_name":"fib","id":"short","kind":"LibraryBenchmark","module_path":"fib_bench::group::fib","package_dir":"/p","profiles":[{"flamegraphs":[],"summaries":{"parts":[{"metrics_summary":{"Callgrind":{"Ir":{"metrics":{"Left":{"Int":9}}}}}}],"total":{"regressions":[],"summary":{"Callgrind":{"Ir":{"diffs":{"diff_pct":"5"},"metrics":{"Both":[{"Int":1734},{"Int":1650}]}},"L1hits":{"diffs":null,"metrics":{"Left":{"Int":2359}}},"LLhits":{"metrics":{"Right":{"Int":4}}},"L1HitRate":{"metrics":{"Left":{"Float":99.5}}}}}}},"tool":"Callgrind"},{"summaries":{"total":{"summary":{"ErrorTool":{"Errors":{"metrics":{"Left":{"Int":1}}}}}}},"tool":"Memcheck"},{"summaries":{"total":{"summary":"None"}},"tool":"Massif"}],"version":"6"}
{
  "function_name": "other",
  "id": null,
  "module_path": "fib_bench::group::other",
  "package_dir": "/p",
  "profiles": [],
  "version": "6"
}
{"reason": "build-finished", "success": true}
running 0 tests
{"function_name": "a { \" \\\\", "id": "x", "module_path": "m::a", "package_dir": "/p", "profiles": [{"tool": "DHAT", "summaries": {"total": {"summary": {"Dhat": {"AtTGmaxBytes": {"metrics": {"Left": {"Int": 378}}}}}}}}]} rest
test result: ok { [
`

func TestGungraunJSON(t *testing.T) {
	formattest.Check(t, "gungraun", gungraunJSON, `
		Unit instructions assume=exact
		Unit instructions better=lower
		Unit l1-hits assume=exact
		Unit l1-hit-rate assume=exact
		Unit l1-hit-rate better=higher
		Unit memcheck-errors assume=exact
		Unit memcheck-errors better=lower
		fib_bench::group::fib_short:10 1 1734 instructions 2359 l1-hits 99.5 l1-hit-rate 1 memcheck-errors
		left out f:11: fib_bench::group::other: it has no figures of a known tool
		Unit at-t-gmax-bytes assume=exact
		Unit at-t-gmax-bytes better=lower
		m::a_x 1 378 at-t-gmax-bytes
	`)
}

func FuzzGungraun(f *testing.F) { formattest.Fuzz(f, "gungraun", gungraunText, gungraunJSON) }

func BenchmarkGungraunJSON(b *testing.B) {
	formattest.Bench(b, "gungraun", "",
		`{"baselines":[null,null],"benchmark_exe":"x","details":"10","function_name":"fib","id":"short","kind":"LibraryBenchmark","module_path":"fib_bench::group::fib","package_dir":"/p","profiles":[{"flamegraphs":[],"summaries":{"parts":[{"metrics_summary":{"Callgrind":{"Ir":{"diffs":{"diff_pct":"5"},"metrics":{"Left":{"Int":9}}}}}}],"total":{"regressions":[],"summary":{"Callgrind":{"Ir":{"diffs":{"diff_pct":"5"},"metrics":{"Both":[{"Int":1734},{"Int":1650}]}},"L1hits":{"diffs":null,"metrics":{"Left":{"Int":2359}}},"L1HitRate":{"metrics":{"Left":{"Float":99.5}}}}}}},"tool":"Callgrind"}],"version":"6"}`, "\n", "\n")
}
