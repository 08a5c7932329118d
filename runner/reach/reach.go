// Package reach tells which benchmarks no change can have reached, so that they need not be measured.
//
// The two sides' test binaries are compared by what they are linked from: the symbols of the
// compiled packages, which are functions, types and data, each with its bytes and with what
// these refer to, by name. A benchmark is left out if nothing that its function may reach
// differs. A symbol reaches whatever it refers to, so that function values, method values,
// closures, tables and data count where they are handed over, whoever calls them. A type whose values
// are put into an interface reaches all of its methods, and those of what it is made of, as for the
// linker, which could not leave out dead code otherwise; it is stricter than this, since it asks
// whether a method of that name is called at all. What initialises packages, and what the main
// function calls before the benchmark, TestMain for one, counts for all. What is not of Go (cgo,
// host objects), and a file that may be read, count for all, too; whoever lists folders may read any. What is not understood is an error, and
// then whoever asks has to measure.
//
// It does not count where the linker puts functions, since perftrack measures with other layouts
// in each round; nor the tables of lines, which a comment shifts: a benchmark that prints where it is
// (runtime.Caller) does not become slower by another number. How large the data of the whole
// program is does not count either, though the garbage collector looks at all of it, nor what another
// benchmark leaves behind: each runs in processes of its own.
//
// Begin with [Compare]; in object.go is how a compiled package is read, in program.go what reaches what.
package reach

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Difference is how the test binaries of a package differ.
type Difference struct {
	name   string // of the package, as in symbols
	sides  [2]*program
	common [2]*flood // what every benchmark reaches
	reason string    // why all benchmarks are to be measured, "" if not all are
	// Of files that changed one that who lists folders may read, and one that who opens files may, ""
	// if there is none.
	listed, opened string
}

// Compare compares the code of a package's tests. An error says why that cannot be told.
func Compare(base, head *Build, importPath string) (*Difference, error) {
	d := &Difference{name: escaped(importPath)}
	var both [2]*parts
	for i, b := range []*Build{base, head} {
		p, err := b.parts(importPath)
		if err != nil {
			return nil, err
		}
		both[i] = p
		d.sides[i] = newProgram(p.ours)
	}
	if both[0].godebug != both[1].godebug {
		d.reason = "GODEBUG, which a //go:debug line or go.mod sets"
	}
	compare(d.sides[0], d.sides[1])
	if err := compareStandard(both[0].standard, both[1].standard); err != nil {
		return nil, err
	}
	if err := d.compareFiles(base, head, both); err != nil {
		return nil, err
	}
	for i, p := range d.sides {
		d.common[i] = newFlood(p, nil)
		d.common[i].from(p.roots...)
		if c := d.common[i].changed; c != "" && d.reason == "" {
			d.reason = c
		}
	}
	return d, nil
}

// Reaches returns what changed of all that a benchmark reaches, "" if nothing did. The
// name is without the Benchmark prefix; what follows a slash does not count.
func (d *Difference) Reaches(benchmark string) string {
	if d.reason != "" {
		return d.reason
	}
	name, _, _ := strings.Cut(benchmark, "/")
	for i, p := range d.sides {
		ids := d.functions(p, benchmark)
		if len(ids) == 0 {
			return "Benchmark" + name + ", which is not to be found"
		}
		f := newFlood(p, d.common[i])
		f.from(ids...)
		switch {
		case f.changed != "":
			return f.changed
		case f.lists && d.listed != "":
			return d.listed
		case (f.lists || f.opens) && d.opened != "":
			return d.opened
		}
	}
	return ""
}

var errPlugins = errors.New("it may load plugins")

// compareStandard compares the standard library of both sides: what both use has to be the same.
// A package that only one of them uses counts where it is used: the initialisation of a package
// refers to that of each one that it imports.
func compareStandard(base, head map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(base)) {
		file, ok := head[name]
		if !ok || file == base[name] {
			continue
		}
		b, err1 := os.ReadFile(base[name])
		h, err2 := os.ReadFile(file)
		if err := errors.Join(err1, err2); err != nil {
			return fmt.Errorf("read compiled package: %w", err)
		}
		if !bytes.Equal(b, h) {
			return fmt.Errorf("the standard library's %s is not the same on both sides", name)
		}
	}
	if base["plugin"]+head["plugin"] != "" {
		return errPlugins
	}
	return nil
}

func (d *Difference) compareFiles(base, head *Build, both [2]*parts) error {
	data, sources := differences(base.files.data, head.files.data), differences(base.files.sources, head.files.sources)
	folder, err := head.folder(both[1].main)
	if err != nil {
		return err
	}
	var texts []byte
	foreign := false
	for _, p := range both {
		for _, c := range p.ours {
			texts = append(texts, c.texts...)
			foreign = foreign || c.foreign
		}
	}
	hidden, err := changedHidden(base, head, texts)
	if err != nil {
		return err
	}
	d.reason = cmp.Or(d.reason, hidden)
	for _, name := range data {
		all, ok := paths(name, base.files.links, head.files.links)
		if !ok || foreign && !forPeople(name) || slices.ContainsFunc(all, func(p string) bool { return concerns(p, folder, texts) }) {
			d.reason = cmp.Or(d.reason, name)
		}
		d.listed = name
	}
	for _, name := range sources {
		d.listed = name
		if bytes.Contains(texts, []byte(path.Ext(name))) {
			d.opened = name
		}
	}
	return nil
}

// changedHidden compares the folders with hidden names of which a string of the program has the name.
func changedHidden(base, head *Build, texts []byte) (changed string, err error) {
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(base.files.hidden, head.files.hidden)))) {
		if !bytes.Contains(texts, []byte(path.Base(name))) {
			continue
		}
		var both [2]*tree
		for i, b := range []*Build{base, head} {
			dir := filepath.Join(b.root, filepath.FromSlash(name))
			if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
				return name, nil
			}
			if both[i], err = readTree(dir); err != nil {
				return "", err
			}
		}
		if len(both[0].hidden)+len(both[1].hidden) > 0 || !maps.Equal(both[0].data, both[1].data) || !maps.Equal(both[0].sources, both[1].sources) {
			return name, nil
		}
	}
	return "", nil
}

// escaped is an import path as it stands in the names of symbols: see PathToPrefix in
// cmd/internal/objabi.
func escaped(importPath string) string {
	dir, last := path.Split(importPath)
	var b strings.Builder
	for i, r := range []byte(dir + last) {
		if r <= ' ' || r == '%' || r == '"' || r >= 0x7f || r == '.' && i >= len(dir) {
			fmt.Fprintf(&b, "%%%02x", r)
			continue
		}
		b.WriteByte(r)
	}
	return b.String()
}
