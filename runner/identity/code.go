// Package identity tells whether two builds are the same, so that what cannot have become
// slower need not be measured.
//
// [CodeHash] hashes the machine code and the data of a built Go program (in code.go, the
// file to begin with), [Benchmarks] the source of one benchmark, [TreeHash] the
// files that a benchmark may read. What cannot be identified is an error, and then the
// caller measures it.
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

// CodeHash identifies the machine code of a Go program: 64 hex digits of a
// SHA-256 over everything that its process has in memory when it starts, but
// for what only describes the code. Two binaries with the same hash run the same
// instructions on the same data at the same places, so that neither can be
// slower than the other. An error says why a file cannot be identified.
//
// What describes the code are the line tables, which shift with a comment, and
// the tables of where such tables are; the build id; debug information is never
// in memory. All else counts, sections that this function has never heard of
// too: it may call equal code different, which costs a measurement, but
// not the reverse.
//
// The hash is the same for two checkouts of one source if both were built with
// -trimpath, -buildvcs=false, the same -randlayout seed and a fixed build id: see
// [LinkerFlag]. In one case equal code differs: if comments make the line
// tables grow over the end of a page, the data behind them moves by one.
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

// LinkerFlag fixes the build id, which is otherwise a hash of the
// sources. On ELF it stands in a section of its own; Mach-O has it in the code.
const LinkerFlag = "-buildid=perftrack"

var (
	errNotExecutable = errors.New("it is neither an ELF nor a Mach-O file: code is only identified on Linux, BSD and macOS")
	errNotGo         = errors.New("it has no Go line table: it is not a Go program")
)

// A loadedSection is a part of a program that its process has in memory.
type loadedSection struct {
	name  string
	size  uint64
	flags uint64
	text  io.Reader // nil: zeros, of which only the number counts
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
			continue // debug information and symbols; build ids
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

// describing are the ends of the names of sections that describe code: ELF
// spells them .gopclntab or .data.rel.ro.gopclntab, Mach-O __gopclntab.
var describing = []string{
	"gopclntab",    // functions, files, lines; stack maps, which follow from the code
	"gosymtab",     // empty nowadays
	"go.buildinfo", // versions; what the program may read of them is in its data, too
	"go_buildinfo",
	"go.module", // where and how long the tables above are
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
