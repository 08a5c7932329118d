// Package reach finds the benchmarks that cannot reach any change, so that they need not be
// measured.
//
// It compares the linker's input for the test binaries of the two sides: the symbols of the
// compiled packages (functions, types and data), each with its bytes and with references to other
// symbols by name. A benchmark is left out if every symbol its function can reach is the same. A
// symbol reaches everything it refers to, so function values, method values, closures, tables and
// data are reached where they are passed on, regardless of the caller. A type whose values are put
// into an interface reaches all of its methods, and those of its component types. The linker
// eliminates dead code by the same rule, but more strictly, because it also checks whether any
// method with that name is called. All benchmarks are assumed to reach some code: the
// initialization of packages, functions that main calls before the benchmark, such as TestMain, and
// foreign code (cgo, host objects). They are also assumed to read all changed files they may read,
// and code that lists folders may read any file. Anything unknown is an error, and the caller then
// has to measure.
//
// Three things are ignored. The first is where the linker places functions, because perftrack
// measures with different layouts in each round. The second is line tables, because every comment
// shifts them, and a benchmark that prints its position (runtime.Caller) does not become slower
// because of a different number. The third is the total size of the program's data, although the
// garbage collector scans it, and the effects of other benchmarks, because each benchmark runs in
// processes of its own.
//
// Begin with [Compare]. object.go reads a compiled package, and program.go follows the references.
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

// A Difference describes how the test binaries of a package differ between the sides.
type Difference struct {
	name   string // import path of the package, as it is spelled in symbols
	sides  [2]*program
	common [2]*flood // what every benchmark reaches
	reason string    // why all benchmarks must be measured, or ""
	// listed is a changed file a benchmark may read if its code lists folders. opened is a changed
	// file a benchmark may read if its code opens files by name. Either may be "".
	listed, opened string
}

// Compare compares a package's test binaries, and the files its benchmarks may read, on both sides.
// It returns an error if they cannot be compared.
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

// Reaches returns the name of a change that a benchmark can reach, or "". The benchmark's name has
// no Benchmark prefix, and the part after a slash is ignored.
func (d *Difference) Reaches(benchmark string) string {
	if d.reason != "" {
		return d.reason
	}
	name, _, _ := strings.Cut(benchmark, "/")
	for i, p := range d.sides {
		ids := d.functions(p, benchmark)
		if len(ids) == 0 {
			return "Benchmark" + name + ", which was not found"
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

var errPlugins = errors.New("the program may load plugins")

// compareStandard returns an error if a package of the standard library that both sides use
// differs. A package that only one side uses is covered by the packages that import it, because
// their initialization refers to the package's initialization.
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
			return fmt.Errorf("the standard library's %s differs between the sides", name)
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

// changedHidden compares the hidden folders whose names occur in a string of the program, and
// returns the name of a changed folder, or "".
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

// escaped returns an import path in the form used in the names of symbols. See PathToPrefix in
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
