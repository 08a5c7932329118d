package config

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// ReferenceFile is the name of the file with what others publish. It stands beside [FileName].
const ReferenceFile = "reference.toml"

// References are numbers that others published, to be shown beside the repository's own.
type References struct {
	List  []Reference
	Peaks []Peak
}

// A Reference is one number.
type Reference struct {
	Bench   string // of the repository, that it compares with
	Name    string // of what was measured
	Value   float64
	Unit    string
	Source  string
	Machine string // model of the processor, or the label of a machine
}

// A Peak is what a machine can do at most.
type Peak struct {
	Machine, Source, Unit string
	Value                 float64
}

// ReadReferences reads the references in a folder. ok is false if there is no such file.
func ReadReferences(dir string) (all References, ok bool, err error) {
	path := filepath.Join(dir, ReferenceFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, false, nil
	}
	if err != nil {
		return all, false, fmt.Errorf("read references: %w", err)
	}
	all, err = ParseReferences(text, path)
	return all, true, err
}

// ParseReferences reads the text of a reference file; fileName is for messages. The error joins all
// mistakes, as that of [Parse].
func ParseReferences(text []byte, fileName string) (all References, err error) {
	err = parse(text, fileName, func(p *parser, tree map[string]any) {
		top := &table{p: p, values: tree}
		for _, t := range top.tables("reference") {
			var r Reference
			t.text("bench", &r.Bench)
			t.text("name", &r.Name)
			t.positive("value", &r.Value)
			t.text("unit", &r.Unit)
			t.text("source", &r.Source)
			t.text("machine", &r.Machine)
			t.required("bench", "name", "value", "unit", "source", "machine")
			t.done()
			all.List = append(all.List, r)
		}
		for _, t := range top.tables("peak") {
			peak := Peak{Unit: "GFLOPS"}
			t.text("machine", &peak.Machine)
			t.positive("value", &peak.Value)
			t.text("unit", &peak.Unit)
			t.text("source", &peak.Source)
			t.required("machine", "value", "source")
			t.done()
			all.Peaks = append(all.Peaks, peak)
		}
		top.done()
	})
	if err != nil {
		return References{}, err
	}
	return all, nil
}

// positive reads a number above zero.
func (t *table) positive(key string, to *float64) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	switch x := v.(type) {
	case int64:
		*to = float64(x)
	case float64:
		*to = x
	}
	if !(*to > 0) || math.IsInf(*to, 0) {
		t.mistake(key, "%s is a number above zero", key)
	}
}
