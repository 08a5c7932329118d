package record

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// run turns one group into a run: its header over the Builder's default, its
// results into benchmarks.
func (b *Builder) run(g *group) (*Run, error) {
	var r Run
	ours := g.ours()
	if !ours { // what perftrack wrote says all there is, so that its import keeps its id
		r = b.Default
		r.Env, r.Facts = slices.Clone(r.Env), slices.Clone(r.Facts)
		r.Units, r.Failures, r.Benchmarks = slices.Clone(r.Units), slices.Clone(r.Failures), nil
	}
	pos := g.results[0].pos
	for _, s := range g.header {
		if k, _ := Lookup(s.Key); !ours && k.Role == HeaderKey && !k.Foreign {
			// Another program's "status" or "start" means something else.
			s.Key = "file-" + s.Key
		}
		if err := r.setHeader(s.Key, s.Value); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", pos, s.Key, err)
		}
	}
	if r.Status == "" {
		r.Status = Complete
	}
	if err := r.addSamples(g); err != nil {
		return nil, err
	}
	if !ours {
		r.addUnits(b.units)
	}
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", pos, err)
	}
	return &r, nil
}

// addSamples adds the group's results, of a format that has any.
func (r *Run) addSamples(g *group) error {
	if version, _, _ := strings.Cut(g.header.Get(KeyFormat), "#"); version != unsampledFormat {
		return r.addResults(g.results)
	}
	for _, res := range g.results {
		if res.id != (BenchmarkID{Kind: Bench, Name: unsampledName}) {
			return fmt.Errorf("%s: %s in a run of format %s, which has no samples", res.pos, res.id.Name, unsampledFormat)
		}
	}
	return nil
}

var hexSHA = regexp.MustCompile(`^[0-9a-f]{4,64}$`)

func (r *Run) setHeader(key, value string) (err error) {
	switch key {
	case KeyFormat:
		if version, _, _ := strings.Cut(value, "#"); !slices.Contains([]string{formatVersion, unsampledFormat, slicedFormat}, version) {
			return fmt.Errorf("written by a newer perftrack (format %s, this one reads %s): upgrade perftrack", value, slicedFormat)
		}
	case keyTarget:
		r.Target = value
	case keyCommit:
		if !hexSHA.MatchString(value) {
			return fmt.Errorf("%q is not a commit hash: remove the line and name the commit with --commit", value)
		}
		r.Commit.SHA = value
	case keyTree:
		r.Commit.Tree = value
	case keyBranch:
		r.Commit.Branch = value
	case keyDirty:
		r.Commit.Dirty = value == "true"
	case keyCommitTime:
		r.Commit.Time, err = time.Parse(time.RFC3339Nano, value)
	case keyStatus:
		r.Status = Status(value)
		if !slices.Contains([]Status{Complete, Partial, Failed}, r.Status) {
			return fmt.Errorf("%q is not complete, partial or failed", value)
		}
	case keyTrial:
		r.Trial = value
	case keySide:
		r.Side = Side(value)
	case keyStart:
		r.Start, err = time.Parse(time.RFC3339Nano, value)
	case keyEnd:
		r.End, err = time.Parse(time.RFC3339Nano, value)
	case keyTool:
		r.Tool = value
	case keyUnits:
		return json.Unmarshal([]byte(value), &r.Units)
	case keyFailures:
		return json.Unmarshal([]byte(value), &r.Failures)
	default:
		r.Set(key, value)
	}
	return err
}

// addUnits keeps the declarations of the units that the run has.
func (r *Run) addUnits(declared map[string]Unit) {
	for _, b := range r.Benchmarks {
		for _, s := range b.Samples {
			u, ok := declared[s.Unit]
			if ok && !slices.ContainsFunc(r.Units, func(have Unit) bool { return have.Name == u.Name }) {
				r.Units = append(r.Units, u)
			}
		}
	}
}

// addResults sorts results into benchmarks. A result that does not say its
// round is the next one of its benchmark; one that does not say its order
// stands where it came in the stream.
func (r *Run) addResults(results []result) error {
	index := map[BenchmarkID]int{}
	total := 0
	for n, res := range results {
		i, ok := index[res.id]
		if !ok {
			i = len(r.Benchmarks)
			index[res.id] = i
			r.Benchmarks = append(r.Benchmarks, Benchmark{BenchmarkID: res.id})
			if i >= MaxBenchmarks {
				return fmt.Errorf("%s: more than %d benchmarks", res.pos, MaxBenchmarks)
			}
		}
		b := &r.Benchmarks[i]
		if len(b.Rounds) >= MaxSamples {
			return fmt.Errorf("%s: more than %d samples of %s", res.pos, MaxSamples, res.id.Name)
		}
		if res.round.N < 0 {
			res.round.N = len(b.Rounds) + 1
		}
		if res.round.Order < 0 {
			res.round.Order = n
		}
		before := len(b.Rounds) * len(b.Samples)
		b.add(res)
		if total += len(b.Rounds)*len(b.Samples) - before; total > MaxTotalSamples {
			return fmt.Errorf("%s: more than %d samples", res.pos, MaxTotalSamples)
		}
	}
	return nil
}
