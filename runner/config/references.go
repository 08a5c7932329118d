package config

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// ReferenceFile is the name of the file with published numbers. It is in the same directory as
// [FileName].
const ReferenceFile = "reference.toml"

// References holds published numbers that are shown next to the repository's own.
type References struct {
	List  []Reference `toml:"reference"`
	Peaks []Peak      `toml:"peak"`
}

// A Reference is one published number.
type Reference struct {
	Bench   string  `toml:"bench"` // the benchmark in this repository to compare with
	Name    string  `toml:"name"`  // name of the measured program
	Value   float64 `toml:"value"`
	Unit    string  `toml:"unit"`
	Source  string  `toml:"source"`
	Machine string  `toml:"machine"` // processor model or machine label
}

// A Peak is the theoretical maximum of a machine.
type Peak struct {
	Machine string  `toml:"machine"`
	Source  string  `toml:"source"`
	Unit    string  `toml:"unit"` // GFLOPS by default
	Value   float64 `toml:"value"`
}

// ReadReferences reads the reference file in dir. ok is false if the directory has no
// [ReferenceFile].
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

// ParseReferences parses the text of a reference file; fileName is used in messages. The error
// joins all mistakes, as in [Parse].
func ParseReferences(text []byte, fileName string) (References, error) {
	var all References
	f, err := decode(text, fileName, &all)
	if err != nil {
		return References{}, err
	}
	for i, r := range all.List {
		f.number(fmt.Sprintf("reference[%d]", i), r.Value, "bench", "name", "unit", "source", "machine")
	}
	for i := range all.Peaks {
		f.number(fmt.Sprintf("peak[%d]", i), all.Peaks[i].Value, "machine", "source")
		if all.Peaks[i].Unit == "" {
			all.Peaks[i].Unit = "GFLOPS"
		}
	}
	if err := f.err(); err != nil {
		return References{}, err
	}
	return all, nil
}

// number checks that the table at path has all required keys and a valid value.
func (f *file) number(path string, value float64, required ...string) {
	t := table{f, path}
	t.need("value")
	for _, key := range required {
		t.need(key)
	}
	if t.has("value") && (!(value > 0) || math.IsInf(value, 0)) {
		t.note("value", "value must be a number above zero")
	}
}
