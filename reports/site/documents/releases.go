package documents

import (
	"cmp"
	"math"
	"slices"
)

// Releases is the document with the geometric mean of the changes in each package at each release.
// A release is a measured commit with a tag.
type Releases struct {
	List     []Release        `json:"list"` // in the order of the branch
	Packages []ReleasePackage `json:"packages"`
	Tagged   int              `json:"tagged"` // number of measured commits with a tag, on or off the branch
}

// A Release is a tagged commit, or the newest commit on the branch even if it has no tag.
type Release struct {
	Tag    string `json:"tag"` // the tag with the highest version
	Commit int    `json:"commit"`
	Now    bool   `json:"now,omitempty"` // the commit is the newest one and not a release yet
}

// A ReleasePackage holds the changes in one unit of a package in one environment.
type ReleasePackage struct {
	Target      string `json:"target"`
	Package     string `json:"package"`
	Unit        string `json:"unit"`
	Better      int    `json:"better"`
	Environment int    `json:"env"`
	// Change holds for each release the mean change from the previous measured release, over the
	// benchmarks measured at both. It is null for the first release, and if there are no such
	// benchmarks.
	Change []Number `json:"change"`
	// Lo and Hi are the 95 % interval of Change, computed from the scatter of runs around their
	// levels. They are null if a benchmark has too few runs.
	Lo []Number `json:"lo"`
	Hi []Number `json:"hi"`
	Of []int    `json:"of"` // number of benchmarks in the mean
	// Measured is the number of benchmarks with a value at a release, or 0 if the package was not
	// measured. Unlike Of, it includes benchmarks without a value at the previous release and
	// benchmarks with a value of 0.
	Measured []int `json:"measured"`
	Carried  []int `json:"carried"` // number of measured benchmarks whose value comes from another commit with the same machine code
	// Moved lists the benchmarks that changed by at least the threshold between two releases.
	Moved []ReleaseMove `json:"moved,omitempty"`
}

// A ReleaseMove is the change in a benchmark between two releases.
type ReleaseMove struct {
	Benchmark int    `json:"b"`
	Release   int    `json:"release"`
	Change    Number `json:"change"`
	Lo        Number `json:"lo"`
	Hi        Number `json:"hi"`
}

// A ReleaseList collects the values at each release, one benchmark after the other.
type ReleaseList struct {
	index    *Index
	rows     map[string]int // indices of benchmarks by document id
	out      Releases
	at       map[int]int // indices of releases by commit
	packages map[packageKey]*releaseValues
}

type packageKey struct {
	target, pkg, unit string
	better, env       int
}

// releaseValues holds the values of a package's benchmarks in one unit.
type releaseValues struct {
	lines   [][]releaseValue
	places  []int // indices of the benchmarks in the index
	carried []int
}

// A releaseValue is the value of a benchmark at a release, or NaN if it has no value. err is the
// standard error of its logarithm, or NaN if unknown.
type releaseValue struct{ value, err float64 }

// NewReleaseList returns a list with the releases among the commits, but without values.
func NewReleaseList(index *Index, commits *Commits) *ReleaseList {
	l := &ReleaseList{index: index, rows: map[string]int{}, at: map[int]int{}, packages: map[packageKey]*releaseValues{}, out: Releases{List: []Release{}, Packages: []ReleasePackage{}}}
	for i, c := range commits.List {
		if len(c.Tags) == 0 {
			continue
		}
		if l.out.Tagged++; !c.Off {
			l.at[i] = len(l.out.List)
			l.out.List = append(l.out.List, Release{Tag: slices.MaxFunc(c.Tags, compareVersions), Commit: i})
		}
	}
	if n := newestOn(commits.List); n >= 0 && len(l.out.List) > 0 && n > l.out.List[len(l.out.List)-1].Commit {
		l.at[n] = len(l.out.List)
		l.out.List = append(l.out.List, Release{Commit: n, Now: true})
	}
	for i, b := range index.Benchmarks {
		l.rows[b.ID] = i
	}
	return l
}

// newestOn returns the newest commit on the branch, or -1.
func newestOn(commits []Commit) int {
	for i := len(commits) - 1; i >= 0; i-- {
		if !commits[i].Off {
			return i
		}
	}
	return -1
}

// Add adds the values of a benchmark. It ignores a benchmark missing from the index.
func (l *ReleaseList) Add(b *Benchmark) {
	place, ok := l.rows[b.ID]
	if !ok || len(l.out.List) == 0 {
		return
	}
	row := l.index.Benchmarks[place]
	for i := range b.Lines {
		line := &b.Lines[i]
		if line.Branch != "" {
			continue
		}
		values, carried := l.values(line)
		if !slices.ContainsFunc(values, releaseValue.known) {
			continue
		}
		key := packageKey{row.Target, row.Package, line.Unit, line.Better, line.Environment}
		p := l.packages[key]
		if p == nil {
			p = &releaseValues{carried: make([]int, len(l.out.List))}
			l.packages[key] = p
		}
		p.lines, p.places = append(p.lines, values), append(p.places, place)
		for r := range carried {
			p.carried[r]++
		}
	}
}

func known(x float64) bool { return !math.IsNaN(x) }

func (v releaseValue) known() bool { return known(v.value) }

// values returns the values of a line at each release. carried contains the releases at which all
// values were carried over from other commits. A value is the median over the runs of the release
// and up to two runs before and after it on the same level, so that a single outlier does not look
// like a change.
func (l *ReleaseList) values(line *Line) (values []releaseValue, carried map[int]bool) {
	points, measured := make([][]int, len(l.out.List)), map[int]bool{}
	carried = map[int]bool{}
	for i, commit := range line.Commit {
		r, ok := l.at[commit]
		if !ok || slices.Contains(line.Aside, i) || !known(float64(line.Value[i])) {
			continue
		}
		points[r] = append(points[r], i)
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
		values = append(values, line.around(p))
	}
	return values, carried
}

// beside is the number of runs on either side of a release included in its value.
const beside = 2

// around returns the median of the points and of their neighbours on the same level.
func (l *Line) around(points []int) releaseValue {
	none := releaseValue{math.NaN(), math.NaN()}
	if len(points) == 0 {
		return none
	}
	first, last := points[0], points[len(points)-1]
	from, to := first, last+1
	level := slices.IndexFunc(l.Levels, func(v Level) bool { return v.First <= first && last < v.End })
	open := slices.ContainsFunc(l.Outliers, func(o Outlier) bool { return o.Open && o.Point == last })
	if level >= 0 && !open { // an outlier at the newest point has no neighbours yet
		from, to = max(l.Levels[level].First, first-beside), min(l.Levels[level].End, last+1+beside)
	}
	var values []float64
	for i := from; i < to; i++ {
		if !slices.Contains(l.Aside, i) && known(float64(l.Value[i])) {
			values = append(values, float64(l.Value[i]))
		}
	}
	out := releaseValue{float64(middle(values)), math.NaN()}
	if level >= 0 {
		// The median of n values scatters about 1.25 times as much as their mean.
		out.err = 1.25 * l.scatter(l.Levels[level]) / math.Sqrt(float64(len(values)))
	}
	return out
}

// leastScatter is the number of runs needed to estimate their scatter.
const leastScatter = 4

// scatter returns the robust relative standard deviation of the runs around a level, or NaN if
// there are too few.
func (l *Line) scatter(of Level) float64 {
	var off []float64
	for i := of.First; i < of.End; i++ {
		if d := math.Abs(math.Log(float64(l.Value[i]) / float64(of.Center))); !slices.Contains(l.Aside, i) && d-d == 0 {
			off = append(off, d)
		}
	}
	if len(off) < leastScatter {
		return math.NaN()
	}
	return 1.4826 * float64(middle(off))
}

// Document returns the releases with the values collected so far.
func (l *ReleaseList) Document() *Releases {
	for key, p := range l.packages {
		l.out.Packages = append(l.out.Packages, p.document(key, l.index.Meta.Threshold))
	}
	slices.SortFunc(l.out.Packages, func(a, b ReleasePackage) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Environment, b.Environment),
			cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Better, b.Better))
	})
	return &l.out
}

func (p *releaseValues) document(key packageKey, threshold float64) ReleasePackage {
	n := len(p.carried)
	out := ReleasePackage{
		Target: key.target, Package: key.pkg, Unit: key.unit, Better: key.better, Environment: key.env,
		Change: make([]Number, n), Lo: make([]Number, n), Hi: make([]Number, n), Of: make([]int, n), Measured: make([]int, n), Carried: p.carried,
	}
	before := -1
	for r := range n {
		out.Change[r], out.Lo[r], out.Hi[r] = interval(math.NaN(), 0)
		for _, line := range p.lines {
			if line[r].known() {
				out.Measured[r]++
			}
		}
		if out.Measured[r] == 0 {
			continue
		}
		if before >= 0 {
			p.between(&out, before, r, threshold)
		}
		before = r
	}
	return out
}

// between computes the changes from one release to another.
func (p *releaseValues) between(out *ReleasePackage, before, r int, threshold float64) {
	sum, squares := 0.0, 0.0
	for i, line := range p.lines {
		was, is := line[before], line[r]
		ratio := math.Log(is.value / was.value)
		if ratio-ratio != 0 {
			continue
		}
		err := was.err*was.err + is.err*is.err
		sum, squares = sum+ratio, squares+err
		out.Of[r]++
		if threshold > 0 && math.Abs(ratio) >= math.Log1p(threshold) {
			m := ReleaseMove{Benchmark: p.places[i], Release: r}
			m.Change, m.Lo, m.Hi = interval(ratio, math.Sqrt(err))
			out.Moved = append(out.Moved, m)
		}
	}
	if of := float64(out.Of[r]); of > 0 {
		out.Change[r], out.Lo[r], out.Hi[r] = interval(sum/of, math.Sqrt(squares)/of)
	}
}

// interval converts a change in the logarithm to a fraction and returns it with its 95 % interval.
// err is the standard error of the logarithm.
func interval(ratio, err float64) (change, lo, hi Number) {
	return Number(math.Expm1(ratio)), Number(math.Expm1(ratio - 1.96*err)), Number(math.Expm1(ratio + 1.96*err))
}

// compareVersions compares tags as versions. Numbers are compared by value, and a prerelease comes
// before its version: v1.2.0-rc1 < v1.2.0.
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
