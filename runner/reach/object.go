package reach

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// The layout of Go's object files is described in cmd/internal/goobj. A file contains a magic
// number, a fingerprint of 8 bytes, flags, and the offsets of these blocks. Each block ends where
// the next one begins.
const (
	blockAutolib = iota
	blockPackages
	blockFiles
	blockDefined
	blockHashed64
	blockHashed
	blockNonPackage
	blockReferred // symbols without a package, defined elsewhere
	blockRefFlags
	blockHash64
	blockHash
	blockRelocIndex
	blockAuxIndex
	blockDataIndex
	blockRelocs
	blockAux
	blockData
	blockRefNames
	blockEnd
	blocks
)

const (
	objectMagic = "\x00go120ld" // since Go 1.20

	symbolSize  = 21 // name 4+4, ABI 2, type 1, flags 1+1, size 4, alignment 4
	relocSize   = 23 // offset 4, size 1, type 2, addend 8, symbol 4+4
	auxSize     = 9  // type 1, symbol 4+4
	refNameSize = 16 // symbol 4+4, name 4+4
)

// Special package indices, for symbols outside the imported packages.
const (
	nonPackage = 1<<31 - 1 - iota
	hashed64
	hashed
	builtin
	self
)

const (
	staticABI = 1<<16 - 1 // marks a symbol local to its file

	goTypeFlag  = 1 << 6 // in the first flags
	itabFlag    = 1 << 1 // in the second flags
	auxGotype   = 0
	auxFuncdata = 2
)

// A symbolRef is a reference to a symbol in an object file.
type symbolRef struct{ pkg, index uint32 }

// An object is an object file being read.
type object struct {
	path     string // used to name symbols without a name of their own
	text     []byte
	offsets  [blocks]int
	names    map[symbolRef]string
	starts   [4]int // first number of each kind of defined symbol, when all are numbered together
	defined  int
	contents map[int]string // hashes of the symbols named by their content
	symbols  []symbol
	texts    []byte // contents of string constants, one per line
}

var errObject = errors.New("its object file has an unknown format")

// readObject reads an object file. It returns an error if anything in the file is unexpected.
func readObject(path string, text []byte) (o *object, err error) {
	defer func() {
		if r := recover(); r != nil { // an index is out of range, so the file is inconsistent
			o, err = nil, errObject
		}
	}()
	rest, ok := bytes.CutPrefix(text, []byte(objectMagic))
	if !ok || len(rest) < 12+4*blocks {
		return nil, errObject
	}
	o = &object{path: path, text: text, names: map[symbolRef]string{}, contents: map[int]string{}}
	for i := range o.offsets {
		o.offsets[i] = int(binary.LittleEndian.Uint32(rest[12+4*i:]))
		if i > 0 && o.offsets[i] < o.offsets[i-1] || o.offsets[i] > len(text) {
			return nil, errObject
		}
	}
	for i := range 4 {
		o.starts[i] = o.defined
		o.defined += o.count(blockDefined+i, symbolSize)
	}
	for i := range o.count(blockRefNames, refNameSize) {
		b := o.at(blockRefNames, i, refNameSize)
		o.names[o.ref(b)] = o.string(b[8:])
	}
	lines := make([]bool, o.defined) // marks line tables, debug information and the like
	for i := range o.defined {
		o.eachAux(i, func(kind byte, r symbolRef) {
			if k, ok := o.own(r); ok && k < o.defined && kind != auxFuncdata && kind != auxGotype {
				lines[k] = true
			}
		})
	}
	for i := range o.defined {
		name := o.string(o.symbolAt(i))
		if !lines[i] && !strings.HasPrefix(name, "go:info.") {
			o.symbols = append(o.symbols, o.read(i))
		}
		if strings.HasPrefix(name, "go:string.") {
			o.texts = append(append(o.texts, o.data(i)...), '\n')
		}
	}
	return o, nil
}

func (o *object) count(block, size int) int { return (o.offsets[block+1] - o.offsets[block]) / size }

func (o *object) at(block, i, size int) []byte {
	return o.text[o.offsets[block]+i*size:][:size]
}

func (o *object) string(b []byte) string {
	n, offset := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
	return string(o.text[offset:][:n])
}

func (o *object) ref(b []byte) symbolRef {
	return symbolRef{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])}
}

// symbolAt returns the description of the symbol with number i. The defined symbols come first,
// followed by the symbols without a package, defined elsewhere.
func (o *object) symbolAt(i int) []byte { return o.at(blockDefined, i, symbolSize) }

// span returns the range of symbol i's entries from an index block.
func (o *object) span(block, i int) (from, to int) {
	b := o.text[o.offsets[block]+4*i:]
	return int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
}

func (o *object) data(i int) []byte {
	from, to := o.span(blockDataIndex, i)
	return o.text[o.offsets[blockData]:][from:to]
}

// name returns the name of a symbol of this file in the program. All ABIs of a function have the
// same name, so a reference to one ABI reaches all of them. Constants and unnamed symbols are named
// by their content, as in the linker, but without using the compiler's own hash, because it
// includes symbol numbers. Literals are also named by their content, because the compiler numbers
// them, and an additional literal would rename all later literals.
func (o *object) name(i int) string {
	b := o.symbolAt(i)
	name := o.string(b)
	switch {
	case i >= o.starts[1] && i < o.starts[3], i < o.defined && (name == "" || counted(name)):
		return o.content(i)
	case name == "":
		return o.path + "#" + strconv.Itoa(i)
	case i < o.defined && binary.LittleEndian.Uint16(b[8:]) == staticABI:
		return o.path + "#" + name
	}
	return name
}

// content returns the name of a symbol named by its content.
func (o *object) content(i int) string {
	if _, ok := o.contents[i]; !ok {
		o.contents[i] = "#" + o.path + "#" + o.string(o.symbolAt(i)) // for references back to the symbol itself
		sum := o.hash(i)
		o.contents[i] = "#" + string(sum[:])
	}
	return o.contents[i]
}

// counted reports whether the compiler has numbered a symbol instead of naming it. For example,
// p..stmp_12 is the thirteenth literal in package p.
func counted(name string) bool {
	at := strings.LastIndex(name, "..")
	if at < 0 {
		return false
	}
	last := strings.TrimRight(name[at+2:], "0123456789")
	return len(last) < len(name)-at-2 && (last == "stmp_" || last == "gobytes.")
}

// initTask is the suffix of the symbol for a package's initialization.
const initTask = "..inittask"

// own returns the number of a symbol that is defined in this package or has no package. For other
// symbols, ok is false.
func (o *object) own(r symbolRef) (i int, ok bool) {
	switch r.pkg {
	case self:
		return int(r.index), true
	case hashed64:
		return o.starts[1] + int(r.index), true
	case hashed:
		return o.starts[2] + int(r.index), true
	case nonPackage:
		return o.starts[3] + int(r.index), true
	}
	return 0, false
}

// target returns the name of a reference's target symbol, or "" if it has none.
func (o *object) target(r symbolRef) string {
	if r.pkg == 0 {
		return ""
	}
	if r.pkg == builtin { // a function in the runtime, which is the same in all programs built with a toolchain
		return "builtin#" + strconv.Itoa(int(r.index))
	}
	if i, ok := o.own(r); ok {
		return o.name(i)
	}
	if name, ok := o.names[r]; ok {
		return name
	}
	return unknown
}

// unknown is the name given to a target without a name. Such a target is always treated as changed.
const unknown = "#unknown"

// hash returns a hash of a symbol's kind, its bytes, its references, and its data for the garbage
// collector. It ignores file and line tables. It also ignores the order in which a package refers
// to the initialization of its imports, because the linker determines that order itself
// (cmd/link/internal/ld/inittask.go).
func (o *object) hash(i int) (out [sha256.Size]byte) {
	sum := sha256.New()
	_, _ = sum.Write(o.symbolAt(i)[8:]) // everything but the name
	_, _ = sum.Write(o.data(i))
	var others []string
	o.eachReloc(i, func(kind []byte, r symbolRef) {
		name := o.target(r)
		text := string(kind) + strconv.Itoa(len(name)) + name
		if strings.HasSuffix(name, initTask) {
			others = append(others, text)
			return
		}
		_, _ = io.WriteString(sum, text)
	})
	slices.Sort(others)
	for _, text := range others {
		_, _ = io.WriteString(sum, text)
	}
	o.eachAux(i, func(kind byte, r symbolRef) {
		// A type in another package has no name here, but the compiled code depends on it anyway.
		if name := o.target(r); kind == auxFuncdata || kind == auxGotype && name != unknown {
			_, _ = io.WriteString(sum, strconv.Itoa(len(name))+name)
		}
	})
	sum.Sum(out[:0])
	return out
}

// eachReloc calls f with the description and the target of each relocation of a symbol.
func (o *object) eachReloc(i int, f func(kind []byte, r symbolRef)) {
	from, to := o.span(blockRelocIndex, i)
	for k := from; k < to; k++ {
		b := o.at(blockRelocs, k, relocSize)
		f(b[:15], o.ref(b[15:]))
	}
}

// eachAux calls f for each auxiliary symbol of a symbol.
func (o *object) eachAux(i int, f func(kind byte, r symbolRef)) {
	from, to := o.span(blockAuxIndex, i)
	for k := from; k < to; k++ {
		b := o.at(blockAux, k, auxSize)
		f(b[0], o.ref(b[1:]))
	}
}
