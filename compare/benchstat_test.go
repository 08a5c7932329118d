package compare

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/perf/benchmath"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// parse reads benchmark-format text into runs.
func parse(t testing.TB, text string) []*record.Run {
	t.Helper()
	return runtest.Parse(t, text)
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) && strings.HasPrefix(path, "../..") {
		t.Skip("corpus not here: ", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A line is one row of benchstat's CSV output.
type line struct{ base, baseCI, head, headCI, delta, p string }

// benchstat runs the benchstat command and returns the rows of its output, keyed by package, unit
// and name.
func benchstat(t *testing.T, oldText, newText string) map[string]line {
	t.Helper()
	dir := t.TempDir()
	oldFile, newFile := filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")
	for file, text := range map[string]string{oldFile: oldText, newFile: newText} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "golang.org/x/perf/cmd/benchstat", "-format", "csv", "-ignore", "note", oldFile, newFile)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	r := csv.NewReader(bytes.NewReader(out))
	r.FieldsPerRecord = -1
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]line{}
	var pkg, unit string
	for _, rec := range records {
		rec = append(rec, make([]string, 7)...)
		switch {
		case strings.HasPrefix(rec[0], "pkg: "):
			pkg = rec[0][len("pkg: "):]
		case rec[0] == "" && rec[2] == "CI":
			unit = rec[1]
		case rec[0] != "" && !strings.Contains(rec[0], ": "):
			lines[pkg+" "+unit+" "+rec[0]] = line{rec[1], rec[2], rec[3], rec[4], rec[5], rec[6]}
		}
	}
	return lines
}

// lines returns the rows of a comparison as benchstat's CSV output would have them.
func lines(c *Comparison) map[string]line {
	out := map[string]line{}
	center := func(s Summary) (string, string) {
		if s.N == 0 {
			return "", ""
		}
		return fmt.Sprint(s.Center), s.Range()
	}
	number := func(f float64) string {
		if f != f {
			return ""
		}
		return fmt.Sprint(f)
	}
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			var l line
			l.base, l.baseCI = center(r.Base)
			l.head, l.headCI = center(r.Head)
			if r.Compared() {
				b := benchmath.Comparison{P: r.P, N1: r.Base.N, N2: r.Head.N, Alpha: c.Options.CompareAlpha}
				if r.declared {
					b.Alpha = 0
				}
				l.delta, l.p = b.FormatDelta(r.Base.Center, r.Head.Center), b.String()
				if strings.HasPrefix(l.delta, "+") || strings.HasPrefix(l.delta, "-") {
					l.delta = fmt.Sprintf("%+.2f%%", 100*r.Delta)
				}
			}
			out[t.Package+" "+t.Unit+" "+r.FullName(t.Env[base])] = l
			if r.Base.N == 0 {
				delete(out, t.Package+" "+t.Unit+" "+r.FullName(t.Env[base]))
				out[t.Package+" "+t.Unit+" "+r.FullName(t.Env[head])] = l
			}
		}
		g := line{base: number(t.Geomean.Base), head: number(t.Geomean.Head), delta: "?"}
		if r := t.Geomean.Ratio; r == r {
			g.delta = fmt.Sprintf("%+.2f%%", (r-1)*100)
		}
		out[t.Package+" "+t.Unit+" geomean"] = g
	}
	return out
}

// close reports whether two printed numbers agree to within a relative error of 1e-12.
func close(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil {
		return a == b
	}
	return math.Abs(x-y) <= 1e-12*math.Max(math.Abs(x), math.Abs(y))
}

// Every median, interval, delta, p, n and geomean equals benchstat's.
func TestBenchstat(t *testing.T) {
	const corpus = "../../shared/corpora/benchfmt/"
	for _, tt := range []struct {
		name  string
		files func(t *testing.T) (oldText, newText string)
		rows  int
	}{
		{"crc", func(t *testing.T) (string, string) {
			return readFile(t, corpus+"crc-old.txt"), readFile(t, corpus+"crc-new.txt")
		}, 74},
		{"suffixarray halves", func(t *testing.T) (string, string) { return halves(readFile(t, corpus+"suffixarray.bench")) }, 60},
		{"fixture", func(t *testing.T) (string, string) {
			return readFile(t, "testdata/old.txt"), readFile(t, "testdata/new.txt")
		}, 60},
	} {
		t.Run(tt.name, func(t *testing.T) {
			oldText, newText := tt.files(t)
			want := benchstat(t, oldText, newText)
			got := lines(Compare(Side{Runs: parse(t, oldText)}, Side{Runs: parse(t, newText)}, Options{}))
			if len(want) < tt.rows {
				t.Errorf("benchstat printed only %d rows", len(want))
			}
			for key, w := range want {
				g := got[key]
				if !close(g.base, w.base) || !close(g.head, w.head) || g.baseCI != w.baseCI || g.headCI != w.headCI || g.delta != w.delta || g.p != w.p {
					t.Errorf("%s:\n got %+v\nwant %+v", key, g, w)
				}
				delete(got, key)
			}
			for key := range got {
				t.Errorf("benchstat has no row %s", key)
			}
		})
	}
}

// halves splits the samples of one file alternately between two files.
func halves(text string) (a, b string) {
	for i, l := range strings.SplitAfter(text, "\n") {
		switch {
		case !strings.HasPrefix(l, "Benchmark"):
			a, b = a+l, b+l
		case i%2 == 0:
			a += l
		default:
			b += l
		}
	}
	return a, b
}
