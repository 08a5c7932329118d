package documents

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
)

// The geometric means of a package agree with values calculated by hand.
func TestReleases(t *testing.T) {
	index := &Index{Benchmarks: []BenchmarkRow{{ID: "a", Target: "go", Package: "p"}, {ID: "b", Target: "go", Package: "p"}, {ID: "c", Target: "go", Package: "p"}, {ID: "d", Target: "go", Package: "q"}}}
	commits := &Commits{List: []Commit{
		{Tags: []string{"v1.9.0", "v1.10.0", "v1.10.0-rc1"}}, {}, {Tags: []string{"v2.0.0"}}, {Tags: []string{"v2.1.0"}}, {Tags: []string{"v3.0.0"}}, {Tags: []string{"v1.9.1"}, Off: true},
	}}
	l := NewReleaseList(index, commits)
	none := Number(math.NaN())
	l.Add(&Benchmark{ID: "a", Lines: []Line{
		{Unit: "sec/op", Better: -1, Commit: []int{0, 0, 0, 1, 2, 4}, Value: []Number{90, 100, 110, 5, 200, 50}, Carried: []int{4}},
		{Unit: "sec/op", Better: -1, Environment: 1, Commit: []int{0, 3}, Value: []Number{1, 3}},
		{Unit: "sec/op", Better: -1, Branch: "other", Commit: []int{0, 2}, Value: []Number{1, 1e9}},
	}})
	l.Add(&Benchmark{ID: "b", Lines: []Line{{Unit: "sec/op", Better: -1, Commit: []int{0, 2, 2, 4}, Value: []Number{8, 4, 1, none}, Aside: []int{2}}}})
	l.Add(&Benchmark{ID: "c", Lines: []Line{{Unit: "sec/op", Better: -1, Commit: []int{0, 2, 4}, Value: []Number{0, 7, 14}}}})
	l.Add(&Benchmark{ID: "d", Lines: []Line{{Unit: "sec/op", Better: -1, Commit: []int{1}, Value: []Number{1}}}})
	l.Add(&Benchmark{ID: "nobody"})
	doc := l.Document()
	tags := []string{}
	for _, r := range doc.List {
		tags = append(tags, r.Tag)
	}
	if !slices.Equal(tags, []string{"v1.10.0", "v2.0.0", "v2.1.0", "v3.0.0"}) || doc.Tagged != 5 {
		t.Errorf("releases %q of %d", tags, doc.Tagged)
	}
	if len(doc.Packages) != 2 {
		t.Fatalf("packages %+v: one that no release has is none", doc.Packages)
	}
	p := doc.Packages[0]
	// a: 100 to 200 to 50, b: 8 to 4, c: 0 to 7 to 14. Nothing was measured at v2.1.0.
	want := []float64{math.NaN(), math.Sqrt(2*0.5) - 1, math.NaN(), math.Sqrt(0.25*2) - 1}
	for i, w := range want {
		if got := float64(p.Change[i]); math.IsNaN(got) != math.IsNaN(w) || math.Abs(got-w) > 1e-12 {
			t.Errorf("change %d is %v, want %v", i, got, w)
		}
	}
	if !slices.Equal(p.Of, []int{0, 2, 0, 2}) || !slices.Equal(p.Measured, []int{3, 3, 0, 2}) || !slices.Equal(p.Carried, []int{0, 1, 0, 0}) {
		t.Errorf("of %v, measured %v, carried over %v", p.Of, p.Measured, p.Carried)
	}
	if q := doc.Packages[1]; q.Environment != 1 || math.Abs(float64(q.Change[2])-2) > 1e-12 || q.Of[2] != 1 {
		t.Errorf("the other environment is %+v", q)
	}
	text, err := json.Marshal(NewReleaseList(index, &Commits{}).Document())
	if err != nil || string(text) != `{"list":[],"packages":[],"tagged":0}` {
		t.Errorf("of nothing: %s, %v", text, err)
	}
}

// A single outlier at a release is not a change, but a new level is. Changes since the last release
// have their own column, and the benchmarks that moved are named.
func TestReleasesOfLevels(t *testing.T) {
	const n = 48
	index := &Index{Meta: Meta{Threshold: 0.05}}
	commits := &Commits{List: make([]Commit, n)}
	for i := 6; i < 40; i += 6 {
		commits.List[i].Tags = []string{fmt.Sprintf("v1.%d.0", i/6)}
	}
	line := func(step, odd int) Line {
		l := Line{Unit: "sec/op", Better: -1, Levels: []Level{{0, step, 100}, {step, n, 135}}, Outliers: []Outlier{{Point: odd}}}
		for i := range n {
			v := 100.0
			if i >= step {
				v = 135
			}
			l.Commit, l.Value = append(l.Commit, i), append(l.Value, Number(v*(1+0.002*float64(i*7%5-2))))
		}
		if step == n {
			l.Levels = l.Levels[:1]
		}
		l.Value[odd] *= 3
		return l
	}
	for i := range 9 {
		index.Benchmarks = append(index.Benchmarks, BenchmarkRow{ID: fmt.Sprint(i), Package: "p"})
	}
	l := NewReleaseList(index, commits)
	for i := range 9 {
		step := n
		if i == 4 {
			step = 42
		}
		l.Add(&Benchmark{ID: fmt.Sprint(i), Lines: []Line{line(step, 18)}})
	}
	doc := l.Document()
	if len(doc.List) != 7 || !doc.List[6].Now || doc.List[6].Commit != n-1 {
		t.Fatalf("releases %+v, want six and the newest commit", doc.List)
	}
	p := doc.Packages[0]
	for r := 1; r < 6; r++ {
		if math.Abs(float64(p.Change[r])) > 0.004 || p.Hi[r]-p.Lo[r] > 0.01 {
			t.Errorf("%s: %v in %v to %v, though nothing changed", doc.List[r].Tag, p.Change[r], p.Lo[r], p.Hi[r])
		}
	}
	if want := math.Pow(1.35, 1.0/9) - 1; math.Abs(float64(p.Change[6])-want) > 0.002 || p.Lo[6] < 0.02 {
		t.Errorf("since the last release %v in %v to %v, want %.4f", p.Change[6], p.Lo[6], p.Hi[6], want)
	}
	if len(p.Moved) != 1 || p.Moved[0].Benchmark != 4 || p.Moved[0].Release != 6 || math.Abs(float64(p.Moved[0].Change)-0.35) > 0.01 {
		t.Errorf("moved %+v, want one by 35 %%", p.Moved)
	}
}

func TestCompareVersions(t *testing.T) {
	sorted := []string{"a", "v1.2.0-rc1", "v1.2.0-rc2", "v1.2.0", "v1.2.0.1", "v1.9", "v1.10", "v01.11", "v2", "w"}
	for i, a := range sorted {
		for k, b := range sorted {
			got := compareVersions(a, b)
			if (got < 0) != (i < k) || (got > 0) != (i > k) {
				t.Errorf("%s against %s is %d", a, b, got)
			}
		}
	}
}
