package identity

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Program is what [ReadProgram] knows about an ELF file of any language.
type Program struct {
	Hash   string   // of everything in the file except debug information and the build ID
	Needed []string // shared libraries, as they are named in the file
	Search []string // folders in which the loader looks for them first, with $ORIGIN replaced
}

// ReadProgram identifies an executable or a shared library. Two files with the same hash are loaded
// as the same bytes at the same addresses, and carry the same data behind their code, such as the
// script of a bundled interpreter. Only debug information and symbols for debuggers, which change
// with every comment, and the build ID, which is a hash of both, may differ.
//
// It reads the tables of the loader and not only those of the linker, because the loader ignores
// sections. It returns an error for any other kind of file.
func ReadProgram(path string) (*Program, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("identify program: %w", err)
	}
	p, err := readProgram(text, filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("identify program %s: %w", path, err)
	}
	return p, nil
}

func readProgram(text []byte, dir string) (*Program, error) {
	file, err := elf.NewFile(bytes.NewReader(text))
	if err != nil {
		return nil, errNotELF
	}
	if err := checkDynamic(file); err != nil {
		return nil, err
	}
	p := &Program{}
	if p.Needed, err = file.DynString(elf.DT_NEEDED); err != nil {
		return nil, err
	}
	if p.Search, err = searched(file, dir); err != nil {
		return nil, err
	}
	image, err := masked(file, text)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%v %v %v %#x\n", file.Class, file.Machine, file.Type, file.Entry)
	for _, prog := range file.Progs {
		fmt.Fprintf(sum, "segment %+v\n", prog.ProgHeader)
		if prog.Type == elf.PT_LOAD {
			if err := hashRange(sum, image, prog.Off, prog.Filesz); err != nil {
				return nil, err
			}
		}
	}
	if err := hashRest(sum, file, image, sectionTable(file, text)); err != nil {
		return nil, err
	}
	p.Hash = hex.EncodeToString(sum.Sum(nil))
	return p, nil
}

var (
	errNotELF = errors.New("it is not an ELF file: perftrack identifies the programs of other languages only on Linux and BSD")
	errRange  = errors.New("a part lies outside the file")
)

// checkDynamic returns an error unless the sections show the same table of libraries as the loader
// reads.
func checkDynamic(file *elf.File) error {
	section := file.SectionByType(elf.SHT_DYNAMIC)
	for _, prog := range file.Progs {
		if prog.Type == elf.PT_DYNAMIC && (section == nil || section.Offset != prog.Off || section.FileSize != prog.Filesz) {
			return errors.New("its sections do not show the libraries that it needs")
		}
	}
	return nil
}

// searched returns the folders of DT_RUNPATH, or else of DT_RPATH.
func searched(file *elf.File, dir string) (dirs []string, err error) {
	for _, tag := range []elf.DynTag{elf.DT_RUNPATH, elf.DT_RPATH} {
		lists, err := file.DynString(tag)
		if err != nil {
			return nil, err
		}
		for _, list := range lists {
			for _, at := range strings.Split(list, ":") {
				at = strings.NewReplacer("${ORIGIN}", dir, "$ORIGIN", dir).Replace(at)
				if strings.Contains(at, "$") {
					return nil, fmt.Errorf("it looks for libraries in %s", at)
				}
				dirs = append(dirs, at)
			}
		}
	}
	return dirs, nil
}

// masked returns a copy of the file without its build ID, and without the position of the section
// headers, which lie behind the debug information.
func masked(file *elf.File, text []byte) ([]byte, error) {
	image := bytes.Clone(text)
	fields := [][2]int{{0x28, 8}, {0x3a, 6}} // e_shoff; e_shentsize, e_shnum, e_shstrndx
	if file.Class == elf.ELFCLASS32 {
		fields = [][2]int{{0x20, 4}, {0x2e, 6}}
	}
	for _, f := range fields {
		if len(image) < f[0]+f[1] {
			return nil, errRange
		}
		clear(image[f[0] : f[0]+f[1]])
	}
	for _, prog := range file.Progs {
		if prog.Type == elf.PT_NOTE && !overlapsCode(file, prog) {
			if err := maskBuildID(file.ByteOrder, image, prog.Off, prog.Filesz); err != nil {
				return nil, err
			}
		}
	}
	return image, nil
}

// overlapsCode reports whether a segment overlaps one that the program can execute or change.
func overlapsCode(file *elf.File, note *elf.Prog) bool {
	return slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool {
		return p.Type == elf.PT_LOAD && p.Flags&(elf.PF_X|elf.PF_W) != 0 && p.Off < note.Off+note.Filesz && note.Off < p.Off+p.Filesz
	})
}

// The build ID is a note of this type and name.
const (
	buildIDType = 3
	buildIDName = "GNU\x00"
	maxBuildID  = 64
)

// maskBuildID clears the build ID in a segment of notes.
func maskBuildID(order binary.ByteOrder, image []byte, off, size uint64) error {
	if off > uint64(len(image)) || size > uint64(len(image))-off {
		return errRange
	}
	notes := image[off : off+size]
	for len(notes) >= 12 {
		nameSize, descSize := order.Uint32(notes), order.Uint32(notes[4:])
		name := 12 + (uint64(nameSize)+3)&^3
		end := name + uint64(descSize)
		if end > uint64(len(notes)) {
			return nil // with another alignment: it stays part of the hash
		}
		if order.Uint32(notes[8:]) == buildIDType && string(notes[12:12+nameSize]) == buildIDName && descSize <= maxBuildID {
			clear(notes[name:end])
		}
		notes = notes[min((end+3)&^3, uint64(len(notes))):]
	}
	return nil
}

// hashRest hashes what the loader does not load, except debug information and symbols: sections,
// and bytes in no section, such as a script behind the program that it reads from its own file.
func hashRest(sum hash.Hash, file *elf.File, image []byte, headers [2]uint64) error {
	covered := [][2]uint64{{0, headerSize(file)}, headers}
	for _, prog := range file.Progs {
		covered = append(covered, [2]uint64{prog.Off, prog.Off + prog.Filesz})
	}
	for _, s := range file.Sections {
		if s.Type == elf.SHT_NOBITS || s.Type == elf.SHT_NULL {
			continue
		}
		covered = append(covered, [2]uint64{s.Offset, s.Offset + s.FileSize})
		if s.Flags&elf.SHF_ALLOC == 0 && debugs(s.Name) {
			continue
		}
		fmt.Fprintf(sum, "section %q\n", s.Name)
		if err := hashRange(sum, image, s.Offset, s.FileSize); err != nil {
			return err
		}
	}
	slices.SortFunc(covered, func(a, b [2]uint64) int { return cmp.Compare(a[0], b[0]) })
	at := uint64(0)
	for _, c := range append(covered, [2]uint64{uint64(len(image)), uint64(len(image))}) {
		if c[0] > at {
			if c[0] > uint64(len(image)) {
				return errRange
			}
			if gap := bytes.Trim(image[at:c[0]], "\x00"); len(gap) > 0 {
				fmt.Fprintf(sum, "rest %q\n", gap)
			}
		}
		at = max(at, c[1])
	}
	return nil
}

func headerSize(file *elf.File) uint64 {
	if file.Class == elf.ELFCLASS32 {
		return 0x34
	}
	return 0x40
}

// sectionTable returns the range of the section headers.
func sectionTable(file *elf.File, text []byte) [2]uint64 {
	start, size := file.ByteOrder.Uint64(text[0x28:]), uint64(0x40)
	if file.Class == elf.ELFCLASS32 {
		start, size = uint64(file.ByteOrder.Uint32(text[0x20:])), 0x28
	}
	return [2]uint64{start, start + size*uint64(len(file.Sections))}
}

// debugs reports whether a section that is not loaded describes the program for debuggers.
func debugs(section string) bool {
	return strings.HasPrefix(section, ".debug_") || strings.HasPrefix(section, ".zdebug_") ||
		slices.Contains([]string{".symtab", ".strtab", ".shstrtab", ".comment", ".gnu_debuglink", ".gnu_debugaltlink", ".gdb_index"}, section)
}

func hashRange(sum hash.Hash, image []byte, off, size uint64) error {
	if off > uint64(len(image)) || size > uint64(len(image))-off {
		return errRange
	}
	fmt.Fprintf(sum, "%d\n", size)
	_, err := io.Copy(sum, bytes.NewReader(image[off:off+size]))
	return err
}
