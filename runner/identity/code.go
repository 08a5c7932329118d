// Package identity decides whether two builds are the same. If they are, they cannot differ in
// speed and need not be measured.
//
// [CodeHash] hashes the machine code and the data of a built Go program, [Benchmarks] hashes the
// source of a benchmark, and [TreeHash] hashes the files a benchmark reads. Each returns an error
// if it cannot decide, and the caller then has to measure. Begin with code.go.
package identity

import (
	"crypto/sha256"
	"debug/elf"
	"debug/macho"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"
)

// CodeHash returns a hash of the machine code of a Go program, as the 64 hex digits of a SHA-256
// sum. It covers the initial memory of the program's process except for descriptions of the code.
// Two binaries with the same hash run the same instructions on the same data at the same addresses,
// so they are equally fast. CodeHash returns an error if the file cannot be identified.
//
// Descriptions of the code are the line tables, which change with every comment, the tables that
// locate them, and the build ID. Debug information is never in memory. Everything else is hashed,
// including unknown sections. It may therefore report a difference between equal programs, at the
// cost of a measurement, but never the reverse.
//
// Two checkouts of the same source have the same hash if both were built with -trimpath,
// -buildvcs=false, the same -randlayout seed and a fixed build ID; see [LinkerFlag]. There is one
// exception: comments may make the line tables grow beyond the end of a page and move the data
// after them by one page.
func CodeHash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("identify code: %w", err)
	}
	defer func() { _ = f.Close() }()
	sections, err := loadedSections(f)
	if err != nil {
		return "", fmt.Errorf("identify code of %s: %w", path, err)
	}
	sum, err := hashSections(sections)
	if err != nil {
		return "", fmt.Errorf("identify code of %s: %w", path, err)
	}
	return sum, nil
}

// LinkerFlag sets a fixed build ID instead of a hash of the sources. In ELF files the build ID has
// a section of its own, but in Mach-O files it is part of the code.
const LinkerFlag = "-buildid=perftrack"

var (
	errNotExecutable = errors.New("it is neither an ELF nor a Mach-O file: perftrack identifies code only on Linux, BSD and macOS")
	errNotGo         = errors.New("it is not a Go program: it has no Go line table")
)

// A loadedSection is a section of a program in memory.
type loadedSection struct {
	name  string
	size  uint64
	flags uint64
	text  io.Reader // nil means zeros; only their number matters
}

func loadedSections(f io.ReaderAt) ([]loadedSection, error) {
	magic := make([]byte, 4)
	if _, err := f.ReadAt(magic, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if string(magic) == elf.ELFMAG {
		return elfSections(f)
	}
	file, err := macho.NewFile(f)
	if err != nil {
		return nil, errNotExecutable
	}
	return machoSections(file), nil
}

func elfSections(f io.ReaderAt) ([]loadedSection, error) {
	file, err := elf.NewFile(f)
	if err != nil {
		return nil, err
	}
	var out []loadedSection
	for _, s := range file.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type == elf.SHT_NOTE {
			continue // debug information, symbols and build IDs
		}
		l := loadedSection{name: s.Name, size: s.Size, flags: uint64(s.Flags)}
		if s.Type != elf.SHT_NOBITS {
			l.text = s.Open()
		}
		out = append(out, l)
	}
	return out, nil
}

func machoSections(file *macho.File) []loadedSection {
	const typeMask, zeroFill = 0xff, 0x1
	var out []loadedSection
	for _, s := range file.Sections {
		if s.Seg == "__DWARF" {
			continue
		}
		l := loadedSection{name: s.Seg + s.Name, size: s.Size, flags: uint64(s.Flags)}
		if s.Flags&typeMask != zeroFill {
			l.text = s.Open()
		}
		out = append(out, l)
	}
	return out
}

// describing lists suffixes of the names of sections describing code. For example, gopclntab
// matches .gopclntab and .data.rel.ro.gopclntab in ELF files, and __gopclntab in Mach-O files.
var describing = []string{
	"gopclntab",    // functions, files and lines, and stack maps, derived from the code
	"gosymtab",     // empty nowadays
	"go.buildinfo", // versions; those readable by the program are also in its data
	"go_buildinfo",
	"go.module", // positions and lengths of the tables above
	"go_module",
}

const lineTable = "gopclntab"

func hashSections(sections []loadedSection) (string, error) {
	sum, isGo := sha256.New(), false
	for _, s := range sections {
		isGo = isGo || strings.HasSuffix(s.name, lineTable)
		if describes(s.name) {
			continue
		}
		if err := s.hash(sum); err != nil {
			return "", err
		}
	}
	if !isGo {
		return "", errNotGo
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func describes(section string) bool {
	for _, end := range describing {
		if strings.HasSuffix(section, end) {
			return true
		}
	}
	return false
}

func (s loadedSection) hash(sum hash.Hash) error {
	fmt.Fprintf(sum, "%q %d %#x\n", s.name, s.size, s.flags)
	if s.text == nil {
		return nil
	}
	n, err := io.Copy(sum, s.text)
	if err == nil && uint64(n) != s.size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("read section %s: %w", s.name, err)
	}
	return nil
}
