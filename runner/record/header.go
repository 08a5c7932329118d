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
func (b *Builder) run(g *group) (*Packed, error) {
	var r Run
	ours := g.ours()
	if !ours { // what perftrack wrote says all there is, so that its import keeps its id
		r = b.Default
		r.Env, r.Facts = slices.Clone(r.Env), slices.Clone(r.Facts)
		r.Units, r.Failures, r.Benchmarks = slices.Clone(r.Units), slices.Clone(r.Failures), nil
	}
	for _, s := range g.header {
		if k, _ := Lookup(s.Key); !ours && k.Role == HeaderKey && !k.Foreign {
			// Another program's "status" or "start" means something else.
			s.Key = "file-" + s.Key
		}
		if err := r.setHeader(s.Key, s.Value); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", g.pos, s.Key, err)
		}
	}
	if r.Status == "" {
		r.Status = Complete
	}
	p := &Packed{Header: r}
	if err := p.addSamples(g); err != nil {
		return nil, err
	}
	if !ours {
		p.addUnits(b.units)
	}
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", g.pos, err)
	}
	return p, nil
}

var hexSHA = regexp.MustCompile(`^[0-9a-f]{4,64}$`)

func (r *Run) setHeader(key, value string) (err error) {
	switch key {
	case KeyFormat:
		if version, _, _ := strings.Cut(value, "#"); !slices.Contains([]string{formatVersion, unsampledFormat, slicedFormat, meanFormat}, version) {
			return fmt.Errorf("written by a newer perftrack (format %s, this one reads %s): upgrade perftrack", value, meanFormat)
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
