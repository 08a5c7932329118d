package record

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// run turns a group into a run. The group's results become benchmarks. Header fields that the group
// lacks come from b.Default, unless perftrack wrote the group. Unless take is nil, run calls it with
// each benchmark, and the samples are not kept in the Packed.
func (b *Builder) run(g *group, take func(*Benchmark)) (*Packed, error) {
	var r Run
	ours := g.ours()
	if !ours { // a text that perftrack wrote is complete, and its id must not change on import
		r = b.Default
		r.Env, r.Facts = slices.Clone(r.Env), slices.Clone(r.Facts)
		r.Units, r.Failures, r.Benchmarks = slices.Clone(r.Units), slices.Clone(r.Failures), nil
	}
	for _, s := range g.header {
		if k, _ := Lookup(s.Key); !ours && k.Role == HeaderKey && !k.Foreign {
			// In another program's output, "status" or "start" means something else.
			s.Key = "file-" + s.Key
		}
		if err := r.setHeader(s.Key, s.Value); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", g.pos, s.Key, err)
		}
	}
	if ours {
		if err := r.readProtocol(g.header); err != nil {
			return nil, fmt.Errorf("%s: %w", g.pos, err)
		}
	} else if r.Protocol.JSON() == "" {
		r.Protocol = protocolOfFacts(r.Facts)
	}
	if r.Status == "" {
		r.Status = Complete
	}
	p := &Packed{Header: r}
	if err := p.addSamples(g, take); err != nil {
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

func (r *Run) setHeader(key, value string) (err error) {
	switch key {
	case KeyFormat:
		if version, _, _ := strings.Cut(value, "#"); !slices.Contains(formats, version) {
			return fmt.Errorf("written by a newer perftrack in format %s, but this one reads only up to %s: upgrade perftrack", value, formats[len(formats)-1])
		}
	case keyTarget:
		r.Target = value
	case keyCommit:
		if !IsHashPrefix(value) {
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
		if protocolPart(key) == 0 {
			r.Set(key, value)
		}
	}
	return err
}
