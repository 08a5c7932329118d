package profiles

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/perftrack/perftrack/runner"
)

func TestPath(t *testing.T) {
	sha := strings.Repeat("0123456789", 4)
	names := map[string]bool{}
	for _, of := range [][2]string{{"x/p", "Sort"}, {"x/q", "Sort"}, {"x/p", "Sort/../../etc"}, {"x/p", "Sort/n=1"}, {"x/p", "Sort#n=1"}, {"x/p", strings.Repeat("long", 100)}} {
		name := filepath.Base(Path("dir", Meta{Commit: sha, Package: of[0], Benchmark: of[1], Kind: CPU}))
		if names[name] || !filepath.IsLocal(name) || strings.ContainsAny(name, "/\\ ") || len(name) > 120 || !strings.HasPrefix(name, "012345678901-") || !strings.HasSuffix(name, ".cpu.pb.gz") {
			t.Errorf("Path of %q is %q", of, name)
		}
		names[name] = true
	}
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, name := range []string{"old.pb.gz", "older.pb.gz", "notes.txt", "new.pb.gz"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, 100), 0o644); err != nil {
			t.Fatal(err)
		}
		when := at.Add(time.Duration(i) * time.Hour)
		if name == "older.pb.gz" {
			when = at.Add(-time.Hour)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	left := func() (names []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	for _, tt := range []struct {
		limit int64
		want  []string
	}{
		{300, []string{"new.pb.gz", "notes.txt", "old.pb.gz", "older.pb.gz"}},
		{299, []string{"new.pb.gz", "notes.txt", "old.pb.gz"}},
		{1, []string{"new.pb.gz", "notes.txt"}},
	} {
		if err := prune(dir, tt.limit); err != nil {
			t.Fatal(err)
		}
		if got := left(); !slices.Equal(got, tt.want) {
			t.Errorf("limit %d leaves %q, want %q", tt.limit, got, tt.want)
		}
	}
}

// Stacks marks objects with the size of a block, because they may share it with objects outside the
// profile.
func TestStacks(t *testing.T) {
	f := &profile.Function{ID: 1, Name: "x/p.f"}
	at := []*profile.Location{{ID: 1, Line: []profile.Line{{Function: f}}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc_objects"}, {Type: "alloc_space"}},
		Sample:     []*profile.Sample{{Location: at, Value: []int64{4, 64}}, {Location: at, Value: []int64{2, 64}}, {Location: at, Value: []int64{0, 0}}},
	}
	for kind, want := range map[string]string{
		"alloc_objects": "[{[x/p.f] 2 true} {[x/p.f] 1 false}]", "alloc_space": "[{[x/p.f] 32 false} {[x/p.f] 32 false}]", "samples": "[]",
	} {
		if got := fmt.Sprint(Stacks(p, kind, 0.5)); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}

// sampledProfile returns a profile with a single sample, with the given values for function.
func sampledProfile(types []string, function string, values ...int64) *profile.Profile {
	f := &profile.Function{ID: 1, Name: function}
	runN := &profile.Function{ID: 2, Name: "testing.(*B).runN"}
	bench := &profile.Function{ID: 3, Name: "m.BenchmarkSort"}
	p := &profile.Profile{Function: []*profile.Function{f, runN, bench}, PeriodType: &profile.ValueType{Type: types[0], Unit: "count"}, Period: 1}
	for _, t := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t, Unit: "count"})
	}
	at := &profile.Location{ID: 1, Address: 1, Line: []profile.Line{{Function: f}, {Function: bench}, {Function: runN}}}
	p.Location = []*profile.Location{at}
	p.Sample = []*profile.Sample{{Location: []*profile.Location{at}, Value: values}}
	return p
}

var (
	cpuTypes   = []string{"samples", "cpu"}
	allocTypes = []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"}
)

// sort returns a benchmark profiled at two commits. At the second one, it is half as fast and
// allocates one more byte.
func sort() Benchmark {
	side := func(perOp float64, bytes int64) runner.FunctionProfile {
		return runner.FunctionProfile{
			CPU: []*profile.Profile{sampledProfile(cpuTypes, "m.sort", 60, 600e6), sampledProfile(cpuTypes, "m.sort", 40, 400e6)},
			Few: sampledProfile(allocTypes, "m.sort", 2, 2*bytes, 0, 0), Many: sampledProfile(allocTypes, "m.sort", 102, 102*bytes, 0, 0), Operations: 100, PerOp: perOp,
		}
	}
	return Benchmark{Target: "t", Package: "m", Name: "Sort", Sides: []runner.FunctionProfile{side(1e-3, 16), side(2e-3, 17)},
		Commits: []string{strings.Repeat("a", 40), strings.Repeat("b", 40)}, Time: 1700000000}
}

// Stored CPU profiles are scaled to the same number of operations, because a benchmark runs for the
// same time however long an operation takes, so unscaled sides cannot be compared.
func TestKeptProfilesAreOfAsManyOperations(t *testing.T) {
	dir := t.TempDir()
	written, err := sort().Write(dir)
	if err != nil || len(written) != 4 {
		t.Fatalf("%d written, %v", len(written), err)
	}
	read, err := List(dir, 10, func(err error) { t.Error(err) })
	if err != nil || len(read) != 4 {
		t.Fatalf("%d listed, %v", len(read), err)
	}
	for _, p := range read {
		head := p.Commit[0] == 'b'
		if head != (p.Base == strings.Repeat("a", 40)) || p.Target != "t" || p.Package != "m" || p.Benchmark != "Sort" || p.Time != 1700000000 {
			t.Errorf("%s says that it is of %+v", p.Path, p.Meta)
		}
		value, want := 0.0, 0.0
		switch {
		case p.Kind == CPU && head:
			value, want = p.Seconds()[0].Value, 2e-3
		case p.Kind == CPU:
			value, want = p.Seconds()[0].Value, 1e-3
		case head:
			value, want = p.PerOperation(Bytes)[0].Value, 17
		default:
			value, want = p.PerOperation(Bytes)[0].Value, 16
		}
		if diff := value/want - 1; diff > 1e-6 || diff < -1e-6 {
			t.Errorf("%s: %v an operation, want %v", p.Path, value, want)
		}
		if p.Kind == CPU && (p.Operations != 1000 || p.Samples != 100) {
			t.Errorf("%s is of %v operations and %d samples", p.Path, p.Operations, p.Samples)
		}
		if got := p.PerOperation(Objects); p.Kind == Allocs && (len(got) != 1 || got[0].Value != 1) {
			t.Errorf("%s: objects %v", p.Path, got)
		}
	}
	// go tool pprof shows time or bytes first, as specified in the file.
	if p := read[0].Profile; p.DefaultSampleType != "cpu" && p.DefaultSampleType != Bytes {
		t.Errorf("the value shown first is %q", p.DefaultSampleType)
	}
}

// The memory of a side is stored only with the side's profiles. The profiles of a commit can be
// found by a prefix of its hash.
func TestMemoryIsKept(t *testing.T) {
	dir, b, often := t.TempDir(), sort(), 25
	b.Sides[1].Collections, b.Sides[1].Resident = &often, 64<<20
	if _, err := b.Write(dir); err != nil {
		t.Fatal(err)
	}
	for _, commit := range []string{"a", "bbbb", strings.Repeat("b", 40)} {
		read, err := ListOf(dir, commit, func(err error) { t.Error(err) })
		if err != nil || len(read) != 2 {
			t.Fatalf("%d of %s, %v", len(read), commit, err)
		}
		for _, p := range read {
			collected := p.Collections != nil && *p.Collections == often
			if head := commit[0] == 'b'; p.Commit[0] != commit[0] || collected != (head && p.Kind == Allocs) || (p.Resident == 64<<20) != (head && p.Kind == CPU) {
				t.Errorf("of %s: %+v", commit, p.Meta)
			}
		}
	}
	if read, err := ListOf(dir, strings.Repeat("b", 39)+"c", func(err error) { t.Error(err) }); err != nil || len(read) > 0 {
		t.Errorf("of a commit that begins alike: %v, %v", read, err)
	}
}

// If the head of one comparison becomes the base of another, its profile keeps its own base.
func TestBaseIsRemembered(t *testing.T) {
	dir := t.TempDir()
	b := sort()
	if _, err := b.Write(dir); err != nil {
		t.Fatal(err)
	}
	b.Commits = []string{b.Commits[1], strings.Repeat("c", 40)}
	if _, err := b.Write(dir); err != nil {
		t.Fatal(err)
	}
	m := Meta{Package: "m", Benchmark: "Sort", Kind: CPU, Commit: b.Commits[0]}
	p, err := Read(Path(dir, m))
	if err != nil || p.Base != strings.Repeat("a", 40) {
		t.Errorf("the profile in the middle was profiled beside %q, %v", p.Base, err)
	}
	if base, err := Read(Path(dir, p.OfBase())); err != nil || base.Commit != p.Base {
		t.Errorf("its base: %+v, %v", base.Meta, err)
	}
}

func TestListSkipsWhatIsNotOurs(t *testing.T) {
	dir := t.TempDir()
	if all, err := List(filepath.Join(dir, "none"), 10, nil); all != nil || err != nil {
		t.Errorf("of no folder: %v, %v", all, err)
	}
	if _, err := sort().Write(dir); err != nil {
		t.Fatal(err)
	}
	var foreign, bomb bytes.Buffer
	if err := sampledProfile(cpuTypes, "f", 1, 1).Write(&foreign); err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(&bomb)
	if _, err := z.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	many := bytes.Repeat(bomb.Bytes(), mostUnpacked>>20+1) // concatenated gzip members count as one file
	for name, text := range map[string][]byte{"foreign.pb.gz": foreign.Bytes(), "empty.pb.gz": nil, "text.pb.gz": []byte("hello"), "bomb.pb.gz": many} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var skipped []error
	all, err := List(dir, 100, func(err error) { skipped = append(skipped, err) })
	if err != nil || len(all) != 4 || len(skipped) != 4 {
		t.Errorf("%d listed, skipped %v, %v", len(all), skipped, err)
	}
	if !slices.ContainsFunc(skipped, func(err error) bool { return errors.Is(err, ErrForeign) }) {
		t.Errorf("nothing says that a profile is not ours: %v", skipped)
	}
	if !slices.ContainsFunc(skipped, func(err error) bool { return strings.Contains(err.Error(), "unpacks to more than 64 MiB") }) {
		t.Errorf("nothing says that a profile is too large: %v", skipped)
	}
	if all, err = List(dir, 1, func(error) {}); err != nil || len(all) > 1 {
		t.Errorf("%d listed of at most 1, %v", len(all), err)
	}
}

func TestOperations(t *testing.T) {
	for _, tt := range []struct {
		perOp []float64
		want  float64
	}{{[]float64{20e-9}, 1e8}, {[]float64{1e-3, 2e-3}, 1000}, {[]float64{5}, 1}, {[]float64{1}, 1}, {[]float64{0}, 0}, {[]float64{0, 1e-3}, 1000}} {
		if got := Operations(tt.perOp...); got != tt.want {
			t.Errorf("Operations(%v) = %v, want %v", tt.perOp, got, tt.want)
		}
	}
}

func TestFlames(t *testing.T) {
	all, err := sort().Profiles()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range Flames(all) {
		got = append(got, f.Side+" "+f.What)
		page, err := f.Page("../index.html", "back")
		if err != nil || !filepath.IsLocal(f.File) || strings.ContainsAny(f.File, "/\\ ") {
			t.Fatalf("%s: %v", f.File, err)
		}
		if want := map[string]string{"time": " of 1 operation", "bytes": " operations", "objects": " operations"}[f.What]; f.What != "time" && !strings.Contains(string(page), want) {
			t.Errorf("%s does not say of how many operations it is", f.File)
		}
		if f.Side == "difference" && f.What == "time" && (!strings.Contains(string(page), `"Value":2000000`) || !strings.Contains(string(page), `"Value":-1000000`)) {
			t.Errorf("%s does not show 1 ms and 2 ms", f.File)
		}
	}
	if want := "difference time|head time|base time|difference bytes|head bytes|base bytes|difference objects|head objects|base objects"; strings.Join(got, "|") != want {
		t.Errorf("%q, want %s", got, want)
	}
	dir := t.TempDir()
	index, err := WritePages(filepath.Join(dir, "deep", "flames"), all)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(index)
	if err != nil || strings.Count(string(text), "<li><a href=") != 9 {
		t.Errorf("the index has %d links, want 9: %v", strings.Count(string(text), "<li><a href="), err)
	}
}
