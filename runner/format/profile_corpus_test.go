package format

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
)

// readReport reads a report from the corpus. Its records must form one run: they must have the same
// configuration, and unique names without spaces.
func readReport(t *testing.T, name string) map[string]*benchfmt.Result {
	t.Helper()
	text := corpusFile(t, name)
	if f, err := Detect(text); err != nil || f.Name != "profile-report" {
		t.Errorf("%s is detected as %q", name, f.Name)
	}
	all := make(map[string]*benchfmt.Result)
	config := ""
	err := Read("profile-report", text, name, func(rec benchfmt.Record) error {
		r, ok := rec.(*benchfmt.Result)
		if !ok {
			t.Errorf("%s", render(rec))
			return nil
		}
		if len(all) == 0 {
			config = fmt.Sprint(r.Config)
		}
		if c := fmt.Sprint(r.Config); c != config || all[string(r.Name)] != nil || strings.ContainsAny(string(r.Name), " \t") {
			t.Errorf("%s does not belong to the run of the others", render(r))
		}
		all[string(r.Name)] = r.Clone()
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return all
}

// value returns the result's value in unit as stated in the report, or NaN.
func value(r *benchfmt.Result, unit string) float64 {
	for _, v := range r.Values {
		if v.OrigUnit == unit {
			return v.OrigValue
		}
		if v.Unit == unit {
			return v.Value
		}
	}
	return math.NaN()
}

// totalMS returns the sum of the rows' totals in ms, with as many decimals as the report prints.
func totalMS(all map[string]*benchfmt.Result) string {
	sum := 0.0
	for _, r := range all {
		sum += value(r, "total-ns")
	}
	return fmt.Sprintf("%.2f", sum/1e6)
}

func TestProfileCorpus(t *testing.T) {
	manifest := string(corpusFile(t, "smallmind/manifest.tsv"))
	names := map[string][]string{} // names of the methods, by suite
	files := 0
	for line := range strings.Lines(manifest) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if fields[0] == "file" {
			continue
		}
		files++
		file, committed := fields[0], fields[2]
		all := readReport(t, "smallmind/"+file)
		var suite, generated string
		var methods []string
		for name, r := range all {
			methods = append(methods, name)
			suite, generated = r.GetConfig("suite"), r.GetConfig("generated")
			want := []string{"ns/op", "min-ns/op", "max-ns/op", "total-ns", "B/op"}
			if suite == "enhanced" {
				want = []string{"ns/op", "total-ns", "B/op"}
			}
			for _, unit := range want {
				if math.IsNaN(value(r, unit)) {
					t.Errorf("%s: %s has no %s", file, name, unit)
				}
			}
		}
		// A method has the same name in all reports of its suite, whether or not it is among the
		// hot paths.
		slices.Sort(methods)
		if names[suite] == nil {
			names[suite] = methods
		}
		if !slices.Equal(methods, names[suite]) {
			t.Errorf("%s: %s has %v, others %v", file, suite, methods, names[suite])
		}
		if got, want := len(all), map[string]int{"standard": 10, "deep": 8, "enhanced": 29}[suite]; got != want {
			t.Errorf("%s: %d methods in suite %q, want %d", file, got, suite, want)
		}
		// A report was written shortly before it was committed.
		if generated == "" || generated > strings.Replace(committed, "T", " ", 1) || generated[:7] != committed[:7] {
			t.Errorf("%s: generated %q, committed %s", file, generated, committed)
		}
	}
	if files != 24 {
		t.Errorf("%d reports, want 24", files)
	}
}

func TestProfileCorpusFigures(t *testing.T) {
	before := readReport(t, "smallmind/comparisons/2dd125bd-previous-profile-report.md")
	after := readReport(t, "smallmind/13-2dd125bd-enhanced-profile-report.md")
	deep := readReport(t, "smallmind/02-70d74d31-deep-profile-report.md")
	standard := readReport(t, "smallmind/10-15d92727-profile-report.md")
	if t.Failed() {
		return
	}
	change := func(name, unit string) string {
		return fmt.Sprintf("%+.1f %%", (value(after[name], unit)/value(before[name], unit)-1)*100)
	}
	for _, tt := range []struct{ what, got, want string }{
		{"total before", totalMS(before), "5591.91"},
		{"total after", totalMS(after), "10312.68"},
		{"runtime in the header", after["GELU_1000"].GetConfig("total-runtime"), "10312.66 ms"},
		{"allocations in the header", after["GELU_1000"].GetConfig("total-allocations"), "2566.91 MB"},
		{"MatMul_512x512", fmt.Sprintf("%.3f", value(after["MatMul_512x512"], "ns/op")/1e6), "414.730"},
		{"calls", fmt.Sprint(after["Model_Medium_GenerateToken"].Iters), "25"},
		{"MatMul_512x512", change("MatMul_512x512", "total-ns"), "+245.9 %"},
		{"GELU_1000000", change("GELU_1000000", "total-ns"), "+200.7 %"},
		{"Softmax_2048", change("Softmax_2048", "total-ns"), "-86.6 %"},
		// Totals are rounded to 0.01 ms, and averages per call to 0.001 ms.
		{"Softmax_2048, finer", change("Softmax_2048", "ns/op"), "-86.5 %"},
		{"Small", fmt.Sprintf("%.2f", 25e9/value(after["Model_Small_Inference"], "total-ns")), "55.84"},
		{"Medium", fmt.Sprintf("%.2f", 25e9/value(after["Model_Medium_Inference"], "total-ns")), "9.79"},
		// With 25 calls, the total divided by the number of calls is more precise than the average.
		{"finest of 102.157 and 2553.92 / 25", fmt.Sprint(value(after["Model_Medium_GenerateToken"], "ns/op")), "1.021568e+08"},
		{"finest allocation", fmt.Sprint(value(after["TensorAdd_Iteration"], "B/op")), "40028.16"},
		{"finest of 157.084 ms and 157083.904 us", fmt.Sprint(value(deep["Inference/GenerateToken"], "ns/op")), "1.57083904e+08"},
		{"minimum", fmt.Sprint(value(deep["MatMul_Iteration"], "min-ns/op")), "1.635e+06"},
		{"self", fmt.Sprintf("%.0f", value(deep["Inference/GenerateToken"], "self-ns/op")), "23834"},
		{"no self", fmt.Sprint(value(deep["MatMul_512x512"], "self-ns/op")), "NaN"},
		{"path", fmt.Sprint(standard["InferenceComplete/GenerateToken/SampleToken/Softmax"].Iters), "150"},
		{"system", deep["Inference"].GetConfig("dotnet-version") + deep["Inference"].GetConfig("cpu-count") + deep["Inference"].GetConfig("gc-mode"), "10.0.24Workstation"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %s, want %s", tt.what, tt.got, tt.want)
		}
	}
}

// The other reports in the corpus compare profiles but are not profiles themselves.
func TestComparisonsAreNoProfiles(t *testing.T) {
	corpusFile(t, "smallmind/comparisons/2dd125bd-model-comparison-report.md")
	paths, err := filepath.Glob(filepath.Join(corpora, "smallmind/comparisons/*comparison-report.md"))
	if err != nil || len(paths) != 3 {
		t.Errorf("%d comparison reports, %v", len(paths), err)
	}
	for _, path := range paths {
		text := corpusFile(t, "smallmind/comparisons/"+filepath.Base(path))
		if f, err := Detect(text); err == nil {
			t.Errorf("%s is detected as %s", path, f.Name)
		}
		for _, name := range []string{"profile-report", "scope-table"} {
			if got := profileOf(t, name, string(text)); !strings.HasPrefix(got, "error f:") || strings.Contains(got, "ns/op") {
				t.Errorf("%s as %s: %.500s", path, name, got)
			}
		}
	}
}

// FuzzProfileReport and FuzzScopeTable check that no input causes a panic, and accepted results
// have finite values and unique names and survive being printed and read back.
func FuzzProfileReport(f *testing.F) { fuzzProfile(f, "profile-report") }
func FuzzScopeTable(f *testing.F)    { fuzzProfile(f, "scope-table") }

func fuzzProfile(f *testing.F, name string) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, ".golden") {
			f.Add(mustRead(f, file))
		}
	}
	for _, seed := range []string{"", smallReport, "|name|calls|total (ms)|\n|-|-|-|\n|A\\||2|1e308|\n|B|1|-0|\n", "name calls total_s\nA/B 9 1,234e-3\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		Detect(data)
		var printed strings.Builder
		var first, second []string
		writer := benchfmt.NewWriter(&printed)
		seen := map[string]bool{}
		err := Read(name, data, "f", func(rec benchfmt.Record) error {
			r, ok := rec.(*benchfmt.Result)
			if !ok {
				if _, line := rec.Pos(); line < 1 {
					t.Errorf("no line: %s", render(rec))
				}
				return nil
			}
			for _, v := range r.Values {
				if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) || v.Value < 0 || v.Value == 0 && math.Signbit(v.Value) {
					t.Errorf("accepted %v %s", v.Value, v.Unit)
				}
			}
			if seen[string(r.Name)] || r.Iters <= 0 || len(r.Values) == 0 || r.GetConfig("profile") != "scopes" {
				t.Errorf("accepted %s", render(r))
			}
			seen[string(r.Name)] = true
			first = append(first, withoutLine(r))
			return writer.Write(r)
		})
		if err != nil {
			return
		}
		err = Read("gobench", []byte(printed.String()), "f", func(rec benchfmt.Record) error {
			if r, ok := rec.(*benchfmt.Result); ok {
				second = append(second, withoutLine(r))
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
