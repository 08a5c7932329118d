package reach

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A member is a file in the archive of a compiled package.
type member struct {
	name string
	text []byte
}

var errArchive = errors.New("it is not the archive of a compiled Go package")

// members splits an archive into its files, like package cmd/internal/archive.
func members(text []byte) (list []member, err error) {
	const magic, headerSize = "!<arch>\n", 60
	rest, ok := bytes.CutPrefix(text, []byte(magic))
	if !ok {
		return nil, errArchive
	}
	for len(rest) > 0 {
		if len(rest) < headerSize || string(rest[headerSize-2:headerSize]) != "`\n" {
			return nil, errArchive
		}
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || size < 0 || size > len(rest)-headerSize {
			return nil, errArchive
		}
		name := strings.TrimSpace(string(rest[:16]))
		list = append(list, member{name, rest[headerSize : headerSize+size]})
		rest = rest[min(headerSize+size+size&1, len(rest)):]
	}
	return list, nil
}

// exportData is the name of the member that only the compiler reads.
const exportData = "__.PKGDEF"

// compiled holds the output of the compiler and the assembler for a package.
type compiled struct {
	symbols []symbol
	texts   []byte // text of its string constants
	foreign bool   // part of it is not Go, but cgo or a host object
}

// firstKnown and lastKnown are the oldest and newest compilers with readable object files. A later
// compiler may give the same fields a different meaning, so its code is always measured until this
// range is extended.
const firstKnown, lastKnown = 22, 26 // minor versions of Go 1

// known reports whether an object file was written by a compiler in this range, given the first
// line of the file, such as "go object linux amd64 go1.26.1 ...".
func known(head string) bool {
	fields := strings.Fields(head)
	if len(fields) < 5 {
		return false
	}
	release, ok := strings.CutPrefix(fields[4], "go1.")
	end := strings.IndexFunc(release, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		release = release[:end]
	}
	minor, err := strconv.Atoi(release)
	return ok && err == nil && minor >= firstKnown && minor <= lastKnown
}

// readCompiled reads the archive of a package. It uses path, the import path, to name symbols
// without a name of their own.
func readCompiled(path string, text []byte) (*compiled, error) {
	list, err := members(text)
	if err != nil {
		return nil, err
	}
	c := &compiled{}
	for _, m := range list {
		if m.name == exportData {
			continue
		}
		head, object, ok := bytes.Cut(m.text, []byte("\n!\n"))
		if !ok || !bytes.HasPrefix(head, []byte("go object ")) {
			c.foreign = true
			c.symbols = append(c.symbols, foreignSymbol(path, m))
			continue
		}
		if !known(string(head)) {
			return nil, fmt.Errorf("%s: %w", m.name, errObject)
		}
		c.foreign = c.foreign || bytes.Contains(head, []byte("$$  // cgo"))
		o, err := readObject(path+"/"+m.name, object)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		c.symbols = append(c.symbols, o.symbols...)
		c.texts = append(c.texts, o.texts...)
	}
	return c, nil
}
