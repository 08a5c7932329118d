package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

// smallReport is a small report for the tests to damage in various ways.
const smallReport = `# Enhanced Performance Profile Report

- **Total Runtime:** 30.00 ms
- **Methods Profiled:** 2

## Hot Paths (Top 30)

| Rank | Method | Time (ms) | Calls | Avg (ms) |
|------|--------|-----------|-------|----------|
| 1 | ` + "`A`" + ` | 20.00 | 2 | 10.000 |
| 2 | ` + "`B`" + ` | 10.00 | 4 | 2.500 |

## Top Allocators

| Rank | Method | Total (MB) | Calls | Avg (KB) |
|------|--------|------------|-------|----------|
| 1 | ` + "`A`" + ` | 1.00 | 2 | 512.00 |

## Call Hierarchy

### ` + "`A`" + `

- ` + "`B`" + ` (2 times)
`

func TestDamagedReports(t *testing.T) {
	const a = "10 A 2 1e+07 ns/op 2e+07 total-ns 524288 B/op\n"
	const b = "11 B 4 2.5e+06 ns/op 1e+07 total-ns\n"
	const head = "profile: scopes\ntotal-runtime: 30.00 ms\nmethods-profiled: 2\nsuite: enhanced\n"
	for _, tt := range []struct{ name, old, new, want string }{
		{"none", "", "", head + a + b},
		{"missing cell", "| 10.00 | 4 |", "| 10.00 |", "error f:11: row has 4 cells, but the table has 5 columns\n" + head + a},
		{"empty cell", "| 10.00 | 4 |", "|  | 4 |", "error f:11: column \"Time (ms)\" is missing\n" + head + a},
		{"extra cell", "| 4 | 2.500 |", "| 4 | 2.500 | 7 |", "error f:11: row has 6 cells, but the table has 5 columns\n" + head + a},
		{"text", "| 10.00 | 4", "| n/a | 4", "error f:11: column \"Time (ms)\" \"n/a\" is not a number such as 1,234.5\n" + head + a},
		{"NaN", "| 10.00 | 4", "| NaN | 4", "error f:11: column \"Time (ms)\" \"NaN\" is not a number such as 1,234.5\n" + head + a},
		{"infinity", "| 10.00 | 4", "| ∞ | 4", "error f:11: column \"Time (ms)\" \"∞\" is not a number such as 1,234.5\n" + head + a},
		{"overflow", "| 10.00 | 4", "| 1e308 | 4", "error f:11: column \"Time (ms)\" \"1e308\" is out of range\n" + head + a},
		{"negative", "| 10.00 | 4", "| -10.00 | 4", "error f:11: column \"Time (ms)\" \"-10.00\" is negative\n" + head + a},
		{"decimal comma", "| 10.00 | 4", "| 10,00 | 4", "error f:11: column \"Time (ms)\" \"10,00\" is not a number such as 1,234.5\n" + head + a},
		{"rank", "| 2 | `B`", "| x | `B`", "error f:11: column \"Rank\" \"x\" is not a number such as 1,234.5\n" + head + a},
		{"half a call", "| 4 | 2.500", "| 4.5 | 2.500", "error f:11: column \"Calls\" \"4.5\" is not a whole number\n" + head + a},
		{"no call", "| 4 | 2.500", "| 0 | 2.500", "error f:11: column \"Calls\" is 0, although the method has a time or allocations\n" + head + a},
		{"too many calls", "| 4 | 2.500", "| 99999999999999999999 | 2.500", "error f:11: column \"Calls\" \"99999999999999999999\" is out of range\n" + head + a},
		{"no name", "`B` | 10", " | 10", "error f:11: column \"Method\" is missing\n" + head + a},
		{"half a name", "`B` | 10", "`B | 10", "error f:11: column \"Method\" \"`B\" has only one backtick: it is cut short\n" + head + a},
		{"control character", "`B` | 10", "`B\x01` | 10", "error f:11: column \"Method\" \"B\\x01\" contains the control character U+0001\n" + head + a},
		{"name not UTF-8", "`B` | 10", "`B\xff` | 10", "error f:11: column \"Method\" name is not valid UTF-8\n" + head + a},
		{"name too long", "`B` | 10", "`" + strings.Repeat("B", bounds.MaxName+1) + "` | 10", "error f:11: column \"Method\" name is longer than the limit of 512 bytes\n" + head + a},
		{"twice in a table", "`B` | 10.00", "`A` | 10.00", "error f:11: \"A\" is a duplicate in this table: see line 10\n"},
		{"other calls", "| 1.00 | 2 |", "| 1.00 | 3 |", "error f:17: \"A\" has 3 calls here and 2 in line 10\n" + head + b},
		{"total and average", "| 10.00 | 4 |", "| 11.00 | 4 |", "error f:11: \"B\": its average is not its total divided by its number of calls (line 11)\n" + head + a},
		{"bad row elsewhere", "| 1.00 | 2 |", "| x | 2 |", "error f:17: column \"Total (MB)\" \"x\" is not a number such as 1,234.5\n" + head + b},
		{"more callers than calls", "(2 times)", "(3 times)", "error f:10: \"A\" has 2 calls here but more in the call hierarchy\n" + head + b},
		{"bad caller", "(2 times)", "(2 ti", "error f:23: invalid line \"- `B` (2 ti\" in the call hierarchy: expected \"- `Caller` (3 times)\"\n" + head + a + b},
		{"no line of dashes", "|------|--------|-----------|-------|----------|\n| 1 | `A` | 20.00", "| 1 | `A` | 20.00",
			"error f:9: the table has no line of dashes with the same number of cells below its header\n" +
				"error f:22: the hot paths list only 0 of 2 profiled methods: rows are missing\n" + head + "16 A 2 524288 B/op\n"},
		{"no header", "| Rank | Method | Time (ms) | Calls | Avg (ms) |\n", "",
			"error f:8: the table has no header\n" +
				"error f:22: the hot paths list only 0 of 2 profiled methods: rows are missing\n" + head + "16 A 2 524288 B/op\n"},
		{"unknown column", "| Avg (ms) |", "| Speed |", "error f:8: unknown column \"Speed\": known columns are name, calls, total, avg, min, max, self, alloc, percent and rank\n" +
			"error f:23: the hot paths list only 0 of 2 profiled methods: rows are missing\n" + head + "17 A 2 524288 B/op\n"},
		{"no unit", "| Avg (ms) |", "| Avg |", "error f:8: column \"Avg\" has no unit: add one, as in \"total (ms)\"\n" +
			"error f:23: the hot paths list only 0 of 2 profiled methods: rows are missing\n" + head + "17 A 2 524288 B/op\n"},
		{"row left out", "| 2 | `B` | 10.00 | 4 | 2.500 |\n", "", "error f:22: the hot paths list only 1 of 2 profiled methods: rows are missing\n" + head + a},
		{"header cut", "30.00 ms", "30.00 ms\n- **Total Runtime:** 31.00 ms", "error f:4: total-runtime is \"31.00 ms\" here and \"30.00 ms\" before\n" +
			"profile: scopes\ntotal-runtime: 30.00 ms\nmethods-profiled: 2\nsuite: enhanced\n11 A 2 1e+07 ns/op 2e+07 total-ns 524288 B/op\n12 B 4 2.5e+06 ns/op 1e+07 total-ns\n"},
		{"control character in the header", "30.00 ms", "30.00 \x1bms", "error f:3: total-runtime \"30.00 \\x1bms\" contains a control character\n" +
			"profile: scopes\nmethods-profiled: 2\nsuite: enhanced\n" + a + b},
		{"reserved key", "Total Runtime", "Suite", strings.Replace(head, "total-runtime", "report-suite", 1) + a + b},
		{"key that is no key", "Total Runtime", "99 % of it", strings.Replace(head, "total-runtime", "report-99-of-it", 1) + a + b},
		{"long value", "30.00 ms", strings.Repeat("m", record.MaxSettingLen+1), "error f:3: configuration \"total-runtime\" is longer than the limit of 1024 bytes\n" +
			"profile: scopes\nmethods-profiled: 2\nsuite: enhanced\n" + a + b},
	} {
		text := strings.Replace(smallReport, tt.old, tt.new, 1)
		if tt.old != "" && text == smallReport {
			t.Fatalf("%s: nothing replaced", tt.name)
		}
		got := profileOf(t, "profile-report", text)
		if tt.name == "twice in a table" { // there is no record of A, and B is missing as well
			got, _, _ = strings.Cut(got, "profile:")
		}
		if got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestReportLimits(t *testing.T) {
	const table = "# Profile Report\n\n|name|calls|total (ms)|\n|-|-|-|\n|B|2|9.0|\n|A|2|4.0|\n|B/A|2|4.0|\n\n## Call Hierarchy\n\n"
	const b = "profile: scopes\n5 B 2 4.5e+06 ns/op 9e+06 total-ns\n"
	for _, tt := range []struct{ name, text, want string }{
		{"two methods of one path", table + "### `A`\n- `B` (2 times)\n### `B`\n*Entry point method*\n",
			"error f:7: \"B/A\" is the call path of two methods: see line 6\n" + b + "6 B/A 2 2e+06 ns/op 4e+06 total-ns\n"},
		{"a sum that overflows", table + "### `A`\n" + strings.Repeat("- `B` (9223372036854775807 times)\n", 2),
			"error f:6: \"A\" has 2 calls here but more in the call hierarchy\n" + b + "7 B/A 2 2e+06 ns/op 4e+06 total-ns\n"},
		{"endless hierarchy", table + "### `A`\n" + strings.Repeat("- `B` (1 times)\n", 10*bounds.MaxBenchmarks),
			"end: f:100011: input exceeds the limit of 100000 lines of call hierarchy\n"},
		{"wide header", "|name|calls|total (ms)|" + strings.Repeat("|", 4<<10) + "\n", "error f:1: table header is larger than 4 KiB\n"},
		{"empty", "", "error f:1: this profile report has no table of methods: expected columns such as Method, Calls, Total (ms), Avg (ms)\n"},
	} {
		if got := profileOf(t, "profile-report", tt.text); got != tt.want {
			t.Errorf("%s: got\n%.600s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// A report may be cut short anywhere. If that removes a row of the hot paths, there must be an
// error.
func TestCutReports(t *testing.T) {
	lastRow := strings.Index(smallReport, " 2.500 |\n") + len(" 2.500 |")
	for n := range smallReport {
		got := profileOf(t, "profile-report", smallReport[:n])
		damaged := strings.Contains(got, "error f:")
		whole := strings.Contains(got, "A 2 1e+07 ns/op") && strings.Contains(got, "B 4 2.5e+06 ns/op")
		if n < lastRow && !damaged || n >= lastRow && !damaged && !whole {
			t.Errorf("cut after %d bytes:\n%s", n, got)
		}
	}
	cut := strings.Index(smallReport, "| 512.00 |")
	for _, tail := range []string{"| 5", "| 512.00", "| 512.00 "} {
		got := profileOf(t, "profile-report", smallReport[:cut]+tail)
		if !strings.HasPrefix(got, "error f:17: the input ends in the middle of a row\n") {
			t.Errorf("%q: %s", tail, got)
		}
		got = profileOf(t, "profile-report", smallReport[:cut]+tail+"\n")
		if !strings.HasPrefix(got, "error f:17: table row must have | at both ends\n") {
			t.Errorf("%q: %s", tail, got)
		}
	}
}

func TestDamagedScopeTables(t *testing.T) {
	const head = "name  calls  total (ms)  avg (ms)\n"
	const good = "profile: scopes\n2 A 2 2e+06 ns/op 4e+06 total-ns\n"
	for _, tt := range []struct{ name, text, want string }{
		{"good", head + "A  2  4.0  2.0\n", good},
		{"single blanks", head + "A 2 4.0 2.0\n", good},
		{"brackets", "name calls total (ms) avg[ms]\nA 2 4.0 2.0\n", good},
		{"underscores", "avg_ms total_ms calls scope\n2.0 4.0 2 A\n", good},
		{"rule below", head + "A 2 4.0 2.0\n------\n\nbye\n", good},
		{"missing cell", head + "A 2 4.0 2.0\nB 2 4.0\n", "error f:3: row has 3 cells, but the table has 4 columns\n" + good},
		{"blank in a name", head + "A 2 4.0 2.0\nB C 2 4.0 2.0\n", "error f:3: row has 5 cells, but the table has 4 columns\n" + good},
		{"NaN", head + "A 2 4.0 2.0\nB 2 NaN 2.0\n", "error f:3: column \"total (ms)\" \"NaN\" is not a number such as 1,234.5\n" + good},
		{"negative", head + "A 2 4.0 2.0\nB 2 -4 2.0\n", "error f:3: column \"total (ms)\" \"-4\" is negative\n" + good},
		{"percent", "name calls total(ms) percent\nA 2 4.0 NaN%\nB 2 4.0 5 %\n", "error f:2: column \"percent\" \"NaN\" is not a number such as 1,234.5\nprofile: scopes\n3 B 2 2e+06 ns/op 4e+06 total-ns\n"},
		{"twice", head + "B 2 4.0 2.0\nB 2 4.0 2.0\n", "error f:3: \"B\" is a duplicate in this table: see line 2\n"},
		{"contradiction", head + "A 2 4.0 2.0\nB 2 4.0 1.0\n", "error f:3: \"B\": its average is not its total divided by its number of calls (line 3)\n" + good},
		{"no line break", head + "A 2 4.0 2.0\nB 2 4.0 2.", "error f:3: the last row has no line break and may be cut short: add a line break if it is complete\n" + good},
		{"markdown without line break", "|name|calls|total (ms)|\n|-|-|-|\n|A|2|4.0|", "profile: scopes\n3 A 2 2e+06 ns/op 4e+06 total-ns\n"},
		{"markdown cut", "|name|calls|total (ms)|\n|-|-|-|\n|A|2|4.0", "error f:3: the input ends in the middle of a row\n"},
		{"markdown cut in the header", "|name|calls|total (m", "error f:1: the input ends within a table header\n"},
		{"escaped end", "|name|calls|total (ms)|\n|-|-|-|\n|A|2|4.0\\|\n", "error f:3: table row must have | at both ends\n"},
		{"no rows", head, "error f:1: the table has no rows\n"},
		{"no calls", "|name|total (ms)|\n|-|-|\n|A|4.0|\n", "error f:1: the table has no column for calls\n"},
		{"no times", "|name|calls|min (ms)|\n|-|-|-|\n|A|2|4.0|\n", "error f:1: the table has no column for times or allocations\n"},
		{"column twice", "|name|calls|total (ms)|time (s)|\n|-|-|-|-|\n|A|2|4.0|1|\n", "error f:1: duplicate column \"time (s)\"\n"},
		{"no unit", "name  calls  total\nA  2  4\n", "error f:1: column \"total\" has no unit: add one, as in \"total (ms)\"\n"},
		{"empty", "", "error f:1: this input has no table of methods: expected columns such as Method, Calls, Total (ms), Avg (ms)\n"},
		{"prose", "The method calls itself.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
			"error f:5: this input has no table of methods: expected columns such as Method, Calls, Total (ms), Avg (ms)\n"},
	} {
		if got := profileOf(t, "scope-table", tt.text); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	var many strings.Builder
	many.WriteString(head)
	for i := range bounds.MaxBenchmarks + 1 {
		fmt.Fprintf(&many, "m%d 1 1 1\n", i)
	}
	if got := profileOf(t, "scope-table", many.String()); !strings.Contains(got, "end: f:10002: input exceeds the limit of 10000 benchmarks") {
		t.Errorf("%.300s", got)
	}
}
