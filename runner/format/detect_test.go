package format

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// sampleOf returns the sample file of a format, or of the format that reads the same files.
func sampleOf(t *testing.T, f Format) []byte {
	t.Helper()
	name := f.Name
	if f.Forced {
		name = strings.TrimSuffix(strings.TrimSuffix(name, "-smaller"), "-bigger")
	}
	found, err := filepath.Glob(filepath.Join("testdata", "formats", name+".*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%d files testdata/formats/%s.*: every format needs one small sample there, with at least one result", len(found), name)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Each format matches its own sample, and no other format does. Its reader finds results there.
func TestDetectsEachFormat(t *testing.T) {
	for _, f := range All() {
		t.Run(f.Name, func(t *testing.T) {
			text := sampleOf(t, f)
			var matching []string
			h := reading.NewHead(text)
			for _, other := range All() {
				if other.Matches(h) {
					matching = append(matching, other.Name)
				}
			}
			if got := strings.Join(matching, ", "); got != f.Name && !f.Forced {
				t.Errorf("its sample matches %s", got)
			}
			results := 0
			err := f.Read(bytes.NewReader(text), f.Name, func(rec benchfmt.Record) error {
				switch rec := rec.(type) {
				case *benchfmt.Result:
					results++
				case *benchfmt.SyntaxError:
					t.Error(rec)
				}
				return nil
			})
			if err != nil || results == 0 {
				t.Errorf("%d results, %v", results, err)
			}
		})
	}
}

// fromTheStart are formats that are detected only at the beginning of an input. Others may follow lines
// that another program printed.
var fromTheStart = []string{"profile-report", "scope-table", "catch2-xml", "csv", "github-action-benchmark-data"}

// A sample that comes after a long log, or with Windows line ends, is still detected.
func TestDetectsAfterLog(t *testing.T) {
	for _, f := range All() {
		if f.Forced || slices.Contains(fromTheStart, f.Name) {
			continue
		}
		text := string(sampleOf(t, f))
		for what, changed := range map[string]string{
			"after a log":         strings.Repeat("> npm run bench: compiling\n", 40) + text,
			"with CRLF":           strings.ReplaceAll(text, "\n", "\r\n"),
			"with a mark":         "\uFEFF" + text,
			"without its last LF": strings.TrimSuffix(text, "\n"),
		} {
			if got, err := Detect([]byte(changed)); err != nil || got.Name != f.Name {
				t.Errorf("%s %s: detected %q, %v", f.Name, what, got.Name, err)
			}
		}
	}
}

// The error for an unknown file names the nearest format and the first line that does not fit.
func TestUnknownFiles(t *testing.T) {
	sample := func(name string) string {
		f, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(sampleOf(t, f))
	}
	const benchstat = "this is benchstat's comparison: import the files that it compared"
	for _, tt := range []struct{ what, text, want string }{
		{"a JSON file that was cut", strings.Split(sample("codspeed"), `"stats"`)[0],
			"no known format: the nearest is codspeed, but line 5 does not fit: the input ends in the middle of the JSON document"},
		{"a JSON file that lacks a key", strings.Replace(sample("google-benchmark"), "real_time", "time", 1),
			"no known format: the nearest is google-benchmark, but line 4 does not fit: there is no benchmarks[].real_time:number"},
		{"a JSON file with a key of another type", strings.Replace(sample("codspeed"), "12.5", `"12.5"`, 1),
			"no known format: the nearest is codspeed, but line 6 does not fit: there is no benchmarks[].stats.mean_ns:number"},
		{"invalid JSON", strings.Replace(sample("google-benchmark"), "1000", "Many", 1),
			"no known format: the nearest is google-benchmark, but line 4 does not fit: invalid JSON: invalid character 'M' at start of value"},
		{"a text with a broken line", "running\nsplit x many ops/sec ±1.50% (91 runs sampled)\n",
			`no known format: the nearest is benchmarkjs, but line 2 does not fit: "split x many ops/sec ±1.50% (91 runs sampled)"`},
		{"a table with one known word", "Total  Rows\n3      4\n", "no known format: see perftrack formats"},
		{"JSON of another program", `{"version": 3, "packages": []}`, "no known format: it is JSON without the keys of any"},
		{"an empty array", "[]\n", "no known format: it is JSON without the keys of any"},
		{"an export of perftrack as JSON", `{"schema_version": 1, "kind": "run", "runs": [{"benchmarks": []}]}`,
			"this is perftrack's JSON: import reads perftrack export in the Go benchmark format"},
		{"a comparison of benchstat", "goos: linux\n       │   old.txt   │              new.txt               │\n       │   sec/op    │   sec/op     vs base               │\nSort-8   1.000µ ± 1%   1.100µ ± 2%  +10.00% (p=0.000 n=10)\n", benchstat},
		{"a table of benchstat", "       │ old.txt │\n       │ sec/op  │\nSort-8   1.0µ ± 1%\n", benchstat},
		{"CSV of benchstat", "goos: linux\n,old.txt,,new.txt\n,sec/op,CI,sec/op,CI,vs base,P\nSort-8,1e-06,1%,1.1e-06,2%,+10.00%,p=0.000 n=10\n", benchstat},
		{"a comparison of the first benchstat", "name    old time/op  new time/op  delta\nSort-8  1.00µs ± 1%  1.10µs ± 2%  +10.00%  (p=0.000 n=10+10)\n", benchstat},
		{"a binary file", "\x7fELF\x02\x01\x01\x00\x00\x00{\x00[\n\xff\xfe\x00", "no known format: see perftrack formats"},
		{"an empty file", "", "the file is empty"},
		{"an empty line", "\uFEFF\n", "the file is empty"},
		{"prose", "It is faster now.\n", "no known format: see perftrack formats"},
	} {
		f, err := Detect([]byte(tt.text))
		var unknown *reading.UnknownError
		if !errors.As(err, &unknown) || err.Error() != tt.want {
			t.Errorf("%s: detected %q, %v\nwant %s", tt.what, f.Name, err, tt.want)
		}
	}
}

// An ambiguous file gets an error with the names of its formats.
func TestAmbiguousFile(t *testing.T) {
	text := "BenchmarkSplit 10 5 ns/op\nsplit x 10 ops/sec ±1.50% (91 runs sampled)\n"
	_, err := Detect([]byte(text))
	want := "the format may be gobench or benchmarkjs: name it with --from, or with format in perftrack.toml"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
