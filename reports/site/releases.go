package site

import (
	"cmp"
	"math"
	"slices"
)

// Releases are geometric means of every package at every release: tagged commits that
// were measured.
type Releases struct {
	List     []Release        `json:"list"` // in the order of the branch
	Packages []ReleasePackage `json:"packages"`
	Tagged   int              `json:"tagged"` // measured commits with a tag, those off the branch included
}

// A Release is a tagged commit.
type Release struct {
	Tag    string `json:"tag"` // of several the last in the order of versions
	Commit int    `json:"commit"`
}

// A ReleasePackage is one unit of a package in one environment.
type ReleasePackage struct {
	Target      string `json:"target"`
	Package     string `json:"package"`
	Unit        string `json:"unit"`
	Better      int    `json:"better"`
	Environment int    `json:"env"`
	// Change is from each release to the next that was measured there, over the benchmarks that
	// both have; null for the first.
	Change []Number `json:"change"`
	Of     []int    `json:"of"` // benchmarks in it
	// Measured counts the benchmarks that a release has a value of, 0 where it was not measured
	// there. Those that have none at the other release, or a value of 0, are in Measured and
	// not in Of.
	Measured []int `json:"measured"`
	Carried  []int `json:"carried"` // of those measured: known from a commit with the same machine code
}

// A ReleaseList collects releases, benchmark by benchmark.
type ReleaseList struct {
	index    *Index
	rows     map[string]BenchmarkRow // by id
	out      Releases
	at       map[int]int // release of a commit
	packages map[packageKey]*releaseValues
}

type packageKey struct {
	target, pkg, unit string
	better, env       int
}

// releaseValues are the values of a package's benchmarks, NaN where a release has none.
type releaseValues struct {
	values  [][]float64
	carried []int
}

// NewReleaseList returns the releases among the commits.
func NewReleaseList(index *Index, commits *Commits) *ReleaseList {
	l := &ReleaseList{index: index, rows: map[string]BenchmarkRow{}, at: map[int]int{}, packages: map[packageKey]*releaseValues{}, out: Releases{List: []Release{}, Packages: []ReleasePackage{}}}
	for i, c := range commits.List {
		if len(c.Tags) == 0 {
			continue
		}
		if l.out.Tagged++; !c.Off {
			l.at[i] = len(l.out.List)
			l.out.List = append(l.out.List, Release{slices.MaxFunc(c.Tags, compareVersions), i})
		}
	}
	for _, b := range index.Benchmarks {
		l.rows[b.ID] = b
	}
	return l
}

// Add adds a benchmark of the index.
func (l *ReleaseList) Add(b *Benchmark) {
	row, ok := l.rows[b.ID]
	if !ok || len(l.out.List) == 0 {
		return
	}
	for i := range b.Lines {
		line := &b.Lines[i]
		if line.Branch != "" {
			continue
		}
		values, carried := l.values(line)
		if !slices.ContainsFunc(values, known) {
			continue
		}
		key := packageKey{row.Target, row.Package, line.Unit, line.Better, line.Environment}
		p := l.packages[key]
		if p == nil {
			p = &releaseValues{carried: make([]int, len(l.out.List))}
			l.packages[key] = p
		}
		p.values = append(p.values, values)
		for r := range carried {
			p.carried[r]++
		}
	}
}

func known(x float64) bool { return !math.IsNaN(x) }

// values are the medians of a line's points at each release, and the releases whose points
// were all carried over.
func (l *ReleaseList) values(line *Line) (values []float64, carried map[int]bool) {
	points, measured := make([][]float64, len(l.out.List)), map[int]bool{}
	carried = map[int]bool{}
	for i, commit := range line.Commit {
		r, ok := l.at[commit]
		if !ok || slices.Contains(line.Aside, i) || !known(float64(line.Value[i])) {
			continue
		}
		points[r] = append(points[r], float64(line.Value[i]))
		if slices.Contains(line.Carried, i) {
			carried[r] = true
		} else {
			measured[r] = true
		}
	}
	for r := range measured {
		delete(carried, r)
	}
	for _, p := range points {
		values = append(values, float64(middle(p)))
	}
	return values, carried
}

// Document returns what was collected.
func (l *ReleaseList) Document() *Releases {
	for key, p := range l.packages {
		l.out.Packages = append(l.out.Packages, releasePackage(key, p))
	}
	slices.SortFunc(l.out.Packages, func(a, b ReleasePackage) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Environment, b.Environment),
			cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Better, b.Better))
	})
	return &l.out
}

func releasePackage(key packageKey, p *releaseValues) ReleasePackage {
	n := len(p.carried)
	out := ReleasePackage{
		Target: key.target, Package: key.pkg, Unit: key.unit, Better: key.better, Environment: key.env,
		Change: make([]Number, n), Of: make([]int, n), Measured: make([]int, n), Carried: p.carried,
	}
	before := -1
	for r := range n {
		out.Change[r] = Number(math.NaN())
		for _, values := range p.values {
			if known(values[r]) {
				out.Measured[r]++
			}
		}
		if out.Measured[r] == 0 {
			continue
		}
		if before >= 0 {
			sum := 0.0
			for _, values := range p.values {
				if ratio := math.Log(values[r] / values[before]); ratio-ratio == 0 {
					sum += ratio
					out.Of[r]++
				}
			}
			if out.Of[r] > 0 {
				out.Change[r] = Number(math.Expm1(sum / float64(out.Of[r])))
			}
		}
		before = r
	}
	return out
}

// compareVersions orders tags as versions: numbers by their size, and a version before its
// own prereleases' end: v1.2.0-rc1 < v1.2.0.
func compareVersions(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x != "" && y != "" {
			x0, y0 := trimZeros(x), trimZeros(y)
			if c := cmp.Or(cmp.Compare(len(x0), len(y0)), cmp.Compare(x0, y0)); c != 0 {
				return c
			}
			a, b = a[len(x):], b[len(y):]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	switch {
	case a == "" && b != "" && b[0] == '-':
		return 1
	case b == "" && a != "" && a[0] == '-':
		return -1
	}
	return cmp.Compare(len(a), len(b))
}

func digits(text string) string {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return text[:n]
}

func trimZeros(number string) string {
	for len(number) > 1 && number[0] == '0' {
		number = number[1:]
	}
	return number
}
