package record

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// RunOfHeader returns a run without benchmarks, as a header describes it. Fields that the header
// lacks come from base, unless perftrack wrote the header.
func RunOfHeader(header Settings, base Run) (Run, error) {
	var r Run
	ours := header.Ours()
	if !ours { // a text that perftrack wrote is complete, and its id must not change on import
		r = base
		r.Env, r.Facts = slices.Clone(r.Env), slices.Clone(r.Facts)
		r.Units, r.Failures, r.Benchmarks = slices.Clone(r.Units), slices.Clone(r.Failures), nil
	}
	for _, s := range header {
		if k, _ := Lookup(s.Key); !ours && k.Role == HeaderKey && !k.Foreign {
			// In another program's output, "status" or "start" means something else.
			s.Key = "file-" + s.Key
		}
		if err := r.setHeader(s.Key, s.Value); err != nil {
			return r, fmt.Errorf("%s: %w", s.Key, err)
		}
	}
	if ours {
		if err := r.readProtocol(header); err != nil {
			return r, err
		}
	} else if r.Protocol.JSON() == "" {
		r.Protocol = protocolOfFacts(r.Facts)
	}
	if r.Status == "" {
		r.Status = Complete
	}
	return r, nil
}

// Ours reports whether the settings are a header that perftrack wrote.
func (s Settings) Ours() bool { return s.Get(KeyFormat) != "" }

func (r *Run) setHeader(key, value string) (err error) {
	switch key {
	case KeyFormat:
		if version, _, _ := strings.Cut(value, "#"); !slices.Contains(formats, version) {
			return fmt.Errorf("written by a newer perftrack in format %s, but this one reads only up to %s: upgrade perftrack", value, formats[len(formats)-1])
		}
	case keyTarget:
		r.Target = value
	case KeyCommit:
		if !IsHashPrefix(value) {
			return fmt.Errorf("%q is not a commit hash: remove the line and name the commit with --commit", value)
		}
		r.Commit.SHA = value
	case keyTree:
		r.Commit.Tree = value
	case KeyBranch:
		r.Commit.Branch = value
	case keyDirty:
		r.Commit.Dirty = value == "true"
	case KeyCommitTime:
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
