package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

// dump reads text as a file named f and renders its records, one per line.
func dump(t *testing.T, text string) (string, error) {
	t.Helper()
	var b strings.Builder
	err := Read("gobench", []byte(text), "f", func(rec benchfmt.Record) error {
		b.WriteString(render(rec) + "\n")
		return nil
	})
	return b.String(), err
}

func render(rec benchfmt.Record) string {
	switch rec := rec.(type) {
	case *benchfmt.Result:
		_, line := rec.Pos()
		s := fmt.Sprintf("%d %s %d", line, rec.Name, rec.Iters)
		for _, v := range rec.Values {
			s += fmt.Sprintf(" %v %s", v.Value, v.Unit)
			if v.OrigUnit != "" {
				s += fmt.Sprintf(" (%v %s)", v.OrigValue, v.OrigUnit)
			}
		}
		for _, c := range rec.Config {
			s += fmt.Sprintf(" %s=%s", c.Key, c.Value)
			if !c.File {
				s += "!"
			}
		}
		return s
	case *benchfmt.UnitMetadata:
		return "unit " + rec.OrigUnit + " " + rec.Key + "=" + rec.Value
	case *benchfmt.SyntaxError:
		return "error " + rec.Error()
	}
	return fmt.Sprintf("%T", rec)
}

func TestGobench(t *testing.T) {
	const good = "BenchmarkA-8 10 5 B/op\n"
	const a = "1 A-8 10 5 B/op\n"
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"plain", "goos: linux\npkg: p\nBenchmarkX/n=1-8   \t 100\t 0.5 ns/op\t 3 MB/s\t 0 B/op\t 1e3 tok/s\nPASS\nok \tp\t1s\n",
			"3 X/n=1-8 100 5e-10 sec/op (0.5 ns/op) 3e+06 B/s (3 MB/s) 0 B/op 1000 tok/s goos=linux pkg=p\n"},
		{"zero keeps its unit", "BenchmarkX 1 0 ns/op\n", "1 X 1 0 ns/op\n"},
		{"negative zero", "BenchmarkX 1 -0 x 1 y\n", "1 X 1 0 x 1 y\n"},
		{"unit line", "Unit tok/s better=higher\n" + good, "unit tok/s better=higher\n2 A-8 10 5 B/op\n"},
		{"unit conflict", "Unit x better=higher\nUnit x better=lower\n", "unit x better=higher\nerror f:2: metadata better of unit x already set to higher\n"},
		{"go test -v", "=== RUN   BenchmarkA\nBenchmarkA\nhello\n" + good, "4 A-8 10 5 B/op\n"},
		{"byte order mark", "\uFEFF" + good, a},
		{"CRLF", "goos: linux\r\nBenchmarkA-8 10 5 B/op\r\n", "2 A-8 10 5 B/op goos=linux\n"},
		{"bad line between good ones", good + "BenchmarkB 10 NaN ns/op\n" + good,
			a + "error f:2: value \"NaN\" is not a decimal number\n3 A-8 10 5 B/op\n"},
		{"infinity", "BenchmarkB 10 Inf ns/op\n", "error f:1: value \"Inf\" is not a decimal number\n"},
		{"overflow", "BenchmarkB 10 1e400 ns/op\n", "error f:1: parsing measurement: value out of range\n"},
		{"overflow by its unit", "BenchmarkB 10 1e305 MB/s\n", "error f:1: value in MB/s is not finite\n"},
		{"hexadecimal", "BenchmarkB 10 0x1p-2 ns/op\n", "error f:1: value \"0x1p-2\" is not a decimal number\n"},
		{"underscore", "BenchmarkB 10 1_000 ns/op\n", "error f:1: value \"1_000\" is not a decimal number\n"},
		{"negative", "BenchmarkB 10 -5 ns/op\n", "error f:1: value in ns/op is negative\n"},
		{"plus", "BenchmarkB 10 +5 ns/op\n", "error f:1: value \"+5\" is not a decimal number\n"},
		{"no iterations", "BenchmarkB 0 5 ns/op\n", "error f:1: iteration count 0 is not above zero\n"},
		{"negative iterations", "BenchmarkB -5 5 ns/op\n", "error f:1: iteration count \"-5\" is not a whole number\n"},
		{"too many iterations", "BenchmarkB 99999999999999999999 5 ns/op\n", "error f:1: parsing iteration count: value out of range\n"},
		{"log line inside", "BenchmarkB-8  \thello world\n", "error f:1: iteration count \"hello\" is not a whole number: did the benchmark print to standard output?\n"},
		{"name and tab", "BenchmarkB-8  \t\n", "error f:1: missing iteration count\n"},
		{"iterations only", "BenchmarkB 5\n", "error f:1: missing measurements\n"},
		{"missing unit", "BenchmarkB 5 7\n", "error f:1: missing units\n"},
		{"lines run together", "BenchmarkA 1 5 ns/opBenchmarkB 100 6 ns/op\n", "error f:1: missing unit: found the number \"6\"\n"},
		{"number in place of a unit", "BenchmarkB 5 7 8\n", "error f:1: missing unit: found the number \"8\"\n"},
		{"no digit", "BenchmarkB 5 . u\nBenchmarkB 5 1e u\n", "error f:1: value \".\" is not a decimal number\nerror f:2: value \"1e\" is not a decimal number\n"},
		{"unit twice", "BenchmarkB 5 7 ns/op 8 ns/op\n", "error f:1: two values in ns/op\n"},
		{"complete without line break", strings.TrimSuffix(good, "\n"), a},
		{"cut in the value", "BenchmarkB 5 7", "error f:1: missing units\n"},
		{"cut in the unit", "BenchmarkB 5 7 ns/op 3 B/", "error f:1: the input ends in the middle of the unit \"B/\"\n"},
		{"cut in the name", "BenchmarkB", "error f:1: the input ends after the name \"BenchmarkB\"\n"},
		{"NUL", "BenchmarkB\x00 5 7 ns/op\n", "error f:1: benchmark line contains a NUL byte\n"},
		{"not UTF-8", "Benchmark\xff 5 7 ns/op\n", "error f:1: benchmark line is not valid UTF-8\n"},
		{"configuration", "goos: \xff\nnote: a\x00b\n", "error f:1: configuration \"goos\" is not valid UTF-8\nerror f:2: configuration \"note\" contains a NUL byte\n"},
		{"log lines", "\x00\xff\nUnits are fun\nNote: x\nhttp://x\n", ""},
		{"deleted configuration", "a: 1\nb: 2\na:\n" + good, "4 A-8 10 5 B/op b=2\n"},
		{"long log line", "x" + strings.Repeat("y", 70<<10) + "\n" + good, "2 A-8 10 5 B/op\n"},
		{"log line at the limit", strings.Repeat("Y", bounds.MaxLine) + "\r\n" + good, "2 A-8 10 5 B/op\n"},
		{"name at the limit", "Benchmark" + strings.Repeat("n", bounds.MaxName) + " 1 1 u\n", "1 " + strings.Repeat("n", bounds.MaxName) + " 1 1 u\n"},
		{"name over the limit", "Benchmark" + strings.Repeat("n", bounds.MaxName+1) + " 1 1 u\n", "error f:1: benchmark name is longer than the limit of 512 bytes\n"},
		{"unit at the limit", "BenchmarkB 1 1 " + strings.Repeat("u", bounds.MaxUnit) + "\n", "1 B 1 1 " + strings.Repeat("u", bounds.MaxUnit) + "\n"},
		{"unit over the limit", "BenchmarkB 1 1 " + strings.Repeat("u", bounds.MaxUnit+1) + "\n", "error f:1: unit is longer than the limit of 32 bytes\n"},
		{"unit over the limit below another", good + "BenchmarkB 1 1 " + strings.Repeat("u", bounds.MaxUnit+1) + "\n", a + "error f:2: unit is longer than the limit of 32 bytes\n"},
		{"package over the limit", "pkg: " + strings.Repeat("v", record.MaxSettingLen+1) + "\n", "error f:1: configuration \"pkg\" is longer than the limit of 1024 bytes\n"},
		{"configuration over the limit", "k: " + strings.Repeat("v", record.MaxSettingLen+1) + "\n", "error f:1: configuration \"k\" is longer than the limit of 1024 bytes\n"},
		{"key over the limit", strings.Repeat("k", record.MaxKeyLen+1) + ": v\n", "error f:1: configuration key is longer than the limit of 128 bytes\n"},
	} {
		got, err := dump(t, tt.text)
		if err != nil || got != tt.want {
			t.Errorf("%s: got %.300q, %v\nwant %.300q", tt.name, got, err, tt.want)
		}
	}
}

func TestGobenchLimits(t *testing.T) {
	line := func(prefix string, size int) string { return prefix + strings.Repeat("z", size-len(prefix)) + "\n" }
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format+"\n", i)
		}
		return b.String()
	}
	keys := func(n int) string { return many(n, "k%d: v") + "BenchmarkA 1 1 u\n" }
	const good = "BenchmarkA 1 1 u\n"
	for _, tt := range []struct{ name, text, want string }{
		{"benchmark line", good + line("BenchmarkB 1 1 ", bounds.MaxRecordLine), "f:2: line has 64 KiB: benchmark, unit and configuration lines must be shorter than 64 KiB"},
		{"configuration line", line("a: ", bounds.MaxRecordLine), "f:1: line has 64 KiB"},
		{"unit line", line("Unit ", bounds.MaxRecordLine), "f:1: line has 64 KiB"},
		{"record line at the limit", line("Unit ", bounds.MaxRecordLine-1) + good, ""},
		{"any line", good + line("", bounds.MaxLine+1), "f:2: line is longer than the limit of 1 MiB"},
		{"last line", line("", bounds.MaxLine+10)[:bounds.MaxLine+5], "f:1: line is longer than the limit of 1 MiB"},
		{"UTF-16", "\xff\xfeB\x00", "f:1: the file is UTF-16: save it as UTF-8"},
		{"benchmarks", many(bounds.MaxBenchmarks, "BenchmarkB%d 1 1 u"), ""},
		{"too many benchmarks", many(bounds.MaxBenchmarks+1, "BenchmarkB%d 1 1 u"), "f:10001: input exceeds the limit of 10000 benchmarks"},
		{"samples", strings.Repeat(good, bounds.MaxSamples), ""},
		{"too many samples", strings.Repeat(good, bounds.MaxSamples+1), "f:10001: more than 10000 samples for A"},
		{"samples by package", strings.Repeat(good, bounds.MaxSamples) + "pkg: p\n" + good, ""},
	} {
		_, err := dump(t, tt.text)
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: error = %v, want %q", tt.name, err, tt.want)
		}
	}
	if got, _ := dump(t, keys(bounds.MaxKeys)); !strings.Contains(got, " A 1 1 u k0=v") {
		t.Errorf("%d keys: %.100s", bounds.MaxKeys, got)
	}
	if got, _ := dump(t, keys(bounds.MaxKeys+1)); !strings.HasPrefix(got, fmt.Sprintf("error f:%d: more than %d configuration keys", bounds.MaxKeys+2, bounds.MaxKeys)) {
		t.Errorf("%d keys: %.100s", bounds.MaxKeys+1, got)
	}
	// 12,500 lines of 80 values are at the limit, and the next line exceeds it.
	pairs := many(80, "1 u%d ")
	wide := "BenchmarkA%d 1 " + strings.ReplaceAll(pairs, "\n", "") + "\n"
	var b strings.Builder
	for i := range bounds.MaxValues/80 + 1 {
		fmt.Fprintf(&b, wide, i%5000)
	}
	if _, err := dump(t, b.String()); err == nil || !strings.HasPrefix(err.Error(), "f:12501: input exceeds the limit of 1000000 values") {
		t.Errorf("error = %v", err)
	}
}

// logLines is an endless input of log lines.
type logLines struct{}

func (logLines) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'Z'
		if i%256 == 0 {
			p[i] = '\n'
		}
	}
	return len(p), nil
}

func TestInputLimit(t *testing.T) {
	f, err := ByName("gobench")
	if err != nil {
		t.Fatal(err)
	}
	defer func(limit int64) { maxFile = limit }(maxFile)
	maxFile = 64 << 20
	ignore := func(benchfmt.Record) error { return nil }
	if err := f.Read(io.LimitReader(logLines{}, maxFile), "f", ignore); err != nil {
		t.Error(err)
	}
	err = f.Read(logLines{}, "f", ignore)
	if err == nil || err.Error() != "f: input is larger than the limit of 64 MiB" {
		t.Errorf("error = %v", err)
	}
	// The limit applies even if the format's reader stops early.
	lazy := guarded(Format{Read: func(io.Reader, string, func(benchfmt.Record) error) error { return nil }})
	if err := lazy.Read(logLines{}, "f", ignore); err == nil {
		t.Error("no error")
	}
}

func TestReadErrors(t *testing.T) {
	f, _ := ByName("gobench")
	broken := errors.New("broken")
	input := io.MultiReader(strings.NewReader("BenchmarkA 1 1 u\nBenchmarkB 1 NaN u\n"), iotest.ErrReader(broken))
	var got int
	err := f.Read(input, "f", func(benchfmt.Record) error { got++; return nil })
	if !errors.Is(err, broken) || got != 2 {
		t.Errorf("%d records, error %v", got, err)
	}
	for _, text := range []string{"BenchmarkA 1 1 u\n", "BenchmarkA 1 NaN u\n", "BenchmarkA 1 -1 u\n"} {
		if err := f.Read(strings.NewReader(text), "f", func(benchfmt.Record) error { return broken }); !errors.Is(err, broken) {
			t.Errorf("%q: error %v", text, err)
		}
	}
	if err := Read("nope", nil, "f", nil); err == nil || err.Error() != "read f: unknown format \"nope\": `perftrack formats` lists the known ones" {
		t.Errorf("error = %v", err)
	}
}

func TestGobenchEvents(t *testing.T) {
	out := func(pkg, test, output string) string {
		return fmt.Sprintf(`{"Time":"2026-01-02T03:04:05Z","Action":"output","Package":%q,"Test":%q,"Output":%q}`+"\n", pkg, test, output)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"split line", `{"Action":"start","Package":"p"}` + "\n" + out("p", "", "goos: linux\n") + out("p", "", "pkg: p\n") +
			out("p", "BenchmarkX", "BenchmarkX\n") + out("p", "BenchmarkX", "BenchmarkX-8 \t") + out("p", "BenchmarkX", "100\t 7 u\n"),
			"6 X-8 100 7 u goos=linux pkg=p\n"},
		{"packages mixed", out("p", "", "pkg: p\n") + out("q", "", "pkg: q\n") + out("q", "", "note: n\n") +
			out("p", "BenchmarkX", "BenchmarkX ") + out("q", "BenchmarkX", "BenchmarkX ") +
			out("p", "BenchmarkX", "1 7 u\n") + out("q", "BenchmarkX", "2 7 u\r\n") + out("p", "BenchmarkX", "BenchmarkX 3 7 u\n"),
			"6 X 1 7 u pkg=p\n7 X 2 7 u pkg=q note=n\n8 X 3 7 u pkg=p\n"},
		{"package from the event", out("p", "", "BenchmarkX 1 7 u\n"), "1 X 1 7 u pkg=p\n"},
		{"package that no line may name", out("pq", "", "BenchmarkX 1 7 u\n") + `{"Action":"output","Package":"p\u0000","Output":"BenchmarkX 1 7 u\n"}` + "\n",
			"1 X 1 7 u pkg=pq\nerror f:2: configuration \"pkg\" contains a NUL byte\n"},
		{"configuration deleted", out("", "", "a: 1\n") + out("", "", "BenchmarkX 1 7 u\n") + out("", "", "a:\n") + out("", "", "BenchmarkX 1 7 u\n"),
			"2 X 1 7 u a=1\n4 X 1 7 u\n"},
		{"unit line", out("p", "", "Unit u better=higher\n"), "unit u better=higher\n"},
		{"build failure around it", "# p\nx.go:1: oops\n" + out("p", "", "BenchmarkX 1 7 u\n") + "FAIL\tp [build failed]\n", "3 X 1 7 u pkg=p\n"},
		{"bad value", out("p", "", "BenchmarkX 1 NaN u\n"), "error f:1: value \"NaN\" is not a decimal number\n"},
		{"cut short", out("p", "BenchmarkX", "BenchmarkX 1 ") + out("p", "", "hello"), "error f:2: the input ends in the middle of \"BenchmarkX 1 \"\n"},
		{"JSON of others", "{\"Action\": 5}\n{\"x\": \"\\\"Action\\\":\"}\n{}\n", ""},
	} {
		got, err := dump(t, tt.text)
		if err != nil || got != tt.want {
			t.Errorf("%s: got %q, %v\nwant %q", tt.name, got, err, tt.want)
		}
	}
	long := out("p", "", "BenchmarkX 1 1 ") + strings.Repeat(out("p", "", strings.Repeat("z", 1000)), 66) + out("p", "", "\n")
	if _, err := dump(t, long); err == nil || !strings.HasPrefix(err.Error(), "f:68: line has 64 KiB") {
		t.Errorf("error = %v", err)
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{
		"":                              false,
		"hello\nPASS\n":                 false,
		"PASS\nok p 1s\ngoos: linux\n":  true,
		"\uFEFFpkg: p\r\n":              true,
		"BenchmarkX-8 10 5 ns/op":       true,
		"BenchmarkX-8 10 5":             false,
		"Benchmarks are 3 times better": false,
		"Unit x better=lower\n":         true,
		`{"Action":"start"}` + "\n":     true,
		`{"context": {}}`:               false,
		"BenchmarkSuite::x 5 ns":        false,
	} {
		f, err := Detect([]byte(text))
		if ok := err == nil; ok != want || ok && f.Name != "gobench" {
			t.Errorf("Detect(%q) = %q, %v", text, f.Name, err)
		}
	}
	if all := All(); len(all) != len(formats) || all[0].Description == "" {
		t.Errorf("All() = %v", all)
	}
}

const corpora = "../../../shared/corpora"

// corpusFile reads a file from the corpora, or skips the test if the file is missing.
func corpusFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(corpora, name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("SKIPPED: %s is not in ../shared/corpora: nothing was checked against real output", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestCorpus compares the reader with benchfmt's: both must read the same records from the output
// of real programs.
func TestCorpus(t *testing.T) {
	names := []string{"tool-output/gab-go_output.txt", "tool-output/bencher-go-bench-five.txt",
		"tool-output/gab-go_fiber_duplicate_names_output.txt",
		"benchfmt/crc-old.txt", "benchfmt/crc-new.txt", "benchfmt/suffixarray.bench"}
	series, err := filepath.Glob(filepath.Join(corpora, "benchfmt/benchseries/*[0-9]"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range series {
		names = append(names, "benchfmt/benchseries/"+filepath.Base(path))
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			text := corpusFile(t, name)
			if f, err := Detect(text); err != nil || f.Name != "gobench" {
				t.Errorf("detected as %q", f.Name)
			}
			got, err := dump(t, string(text))
			if err != nil {
				t.Fatal(err)
			}
			var want strings.Builder
			reader := benchfmt.NewReader(bytes.NewReader(text), "f")
			for reader.Scan() {
				want.WriteString(render(reader.Result()) + "\n")
			}
			if reader.Err() != nil || got != want.String() || got == "" {
				t.Errorf("%v: the records differ:\n%.2000s\nwant\n%.2000s", reader.Err(), got, want.String())
			}
			if strings.Contains(got, "error f:") {
				t.Errorf("%.1000s", got)
			}
		})
	}
}

// FuzzGobench checks that no input causes a panic, and accepted results have finite values and
// valid UTF-8 names and survive being printed and read back.
func FuzzGobench(f *testing.F) {
	for _, seed := range []string{
		"goos: linux\nBenchmarkX-8 100 7.5 ns/op 3 MB/s\n", "BenchmarkX 1 NaN u\n", "BenchmarkX 1 Inf u\n",
		"BenchmarkX 1 1e400 u\n", "BenchmarkX 1 1e305 MB/s\n", "BenchmarkX 1 0x1p-2 u\n", "BenchmarkX 1 1_000 u\n",
		"BenchmarkX 1 -0 u\n", "BenchmarkX 1 -5 u\n", "BenchmarkX 1 1e-400 u\n", "\uFEFFBenchmarkX 1 1 u\n",
		"a: b\r\nBenchmarkX 1 1 u\r\n", "Benchmark\x00 1 1 u\n", "Benchmark\xff 1 1 u\n", "Benchmark 1 1 u", "Unit u better=higher\n",
		"BenchmarkX\u00a01\u00851 u\n", `{"Action":"output","Package":"p","Output":"BenchmarkX 1 1 u\n"}` + "\n",
		`{"Action":"output","Package":"p","Output":"BenchmarkX "}` + "\n" + `{"Action":"output","Package":"p","Output":"1 1 ns/op"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		Detect(data)
		var printed bytes.Buffer
		var first []string
		writer := benchfmt.NewWriter(&printed)
		err := Read("gobench", data, "f", func(rec benchfmt.Record) error {
			result, ok := rec.(*benchfmt.Result)
			if !ok {
				return nil
			}
			for _, v := range result.Values {
				for _, x := range []float64{v.Value, v.OrigValue} {
					if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 || x == 0 && math.Signbit(x) {
						t.Errorf("accepted %v %s", x, v.Unit)
					}
				}
			}
			if !utf8.Valid(result.Name) || bytes.IndexByte(result.Name, 0) >= 0 || result.Iters <= 0 || len(result.Values) == 0 {
				t.Errorf("accepted %s", render(result))
			}
			first = append(first, withoutLine(result))
			return writer.Write(result)
		})
		if err != nil {
			return
		}
		var second []string
		err = Read("gobench", printed.Bytes(), "f", func(rec benchfmt.Record) error {
			if result, ok := rec.(*benchfmt.Result); ok {
				second = append(second, withoutLine(result))
			} else {
				t.Errorf("printed and read again: %s", render(rec))
			}
			return nil
		})
		if err != nil || fmt.Sprint(first) != fmt.Sprint(second) {
			t.Errorf("%v\n%q\nprinted and read again:\n%q", err, first, second)
		}
	})
}

// withoutLine renders the name, iterations and values of a result.
func withoutLine(r *benchfmt.Result) string {
	return fmt.Sprint(string(r.Name), r.Iters, r.Values)
}
