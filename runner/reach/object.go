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

// The layout of Go's object files, as cmd/internal/goobj describes it: a magic number, a
// fingerprint of 8 bytes, flags, and the offsets of these blocks, of which each ends where the
// next one begins.
const (
	blockAutolib = iota
	blockPackages
	blockFiles
	blockDefined
	blockHashed64
	blockHashed
	blockNonPackage
	blockReferred // non-package symbols that are defined elsewhere
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
	objectMagic = "\x00go120ld" // of Go 1.20 and since

	symbolSize  = 21 // name 4+4, ABI 2, type 1, flags 1+1, size 4, alignment 4
	relocSize   = 23 // offset 4, size 1, type 2, addend 8, symbol 4+4
	auxSize     = 9  // type 1, symbol 4+4
	refNameSize = 16 // symbol 4+4, name 4+4
)

// What stands for the package in a reference to a symbol that is of no other package.
const (
	nonPackage = 1<<31 - 1 - iota
	hashed64
	hashed
	builtin
	self
)

const (
	staticABI = 1<<16 - 1 // of a symbol that only its own file knows

	goTypeFlag  = 1 << 6 // of the first flags
	itabFlag    = 1 << 1 // of the second flags
	auxGotype   = 0
	auxFuncdata = 2
)

// A symbolRef is a reference in an object file.
type symbolRef struct{ pkg, index uint32 }

// An object is an object file while it is read.
type object struct {
	path     string // of its symbols that have no name beyond it
	text     []byte
	offsets  [blocks]int
	names    map[symbolRef]string
	starts   [4]int // of each kind of defined symbol, in the common numbering
	defined  int
	contents map[int]string // hash of a symbol that is named by it
	symbols  []symbol
	texts    []byte // of strings, one a line
}

var errObject = errors.New("its object file is not of a form that is known here")

// readObject reads an object file. Whatever is not as it should be is an error.
func readObject(path string, text []byte) (o *object, err error) {
	defer func() {
		if r := recover(); r != nil { // an index out of range: the file is not what it says
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
	lines := make([]bool, o.defined) // tables of lines and the like, and debug information
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

// symbolAt returns the description of a symbol by its number among the defined ones, behind which come
// the non-package symbols that are defined elsewhere.
func (o *object) symbolAt(i int) []byte { return o.at(blockDefined, i, symbolSize) }

// span returns where what belongs to a symbol begins and ends.
func (o *object) span(block, i int) (from, to int) {
	b := o.text[o.offsets[block]+4*i:]
	return int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
}

func (o *object) data(i int) []byte {
	from, to := o.span(blockDataIndex, i)
	return o.text[o.offsets[blockData]:][from:to]
}

// name returns by which name a symbol of this file is known in the program. ABIs are
// not told apart: what is reached of a function is reached in each. Constants and what has no name are named by their
// content, as for the linker, though not by the compiler's own hash, in which the numbers of
// symbols are; and so are literals, which the compiler numbers. One more would change the names of all.
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

// content is the name of a symbol that has no other one but a number.
func (o *object) content(i int) string {
	if _, ok := o.contents[i]; !ok {
		o.contents[i] = "#" + o.path + "#" + o.string(o.symbolAt(i)) // while one leads back to itself
		sum := o.hash(i)
		o.contents[i] = "#" + string(sum[:])
	}
	return o.contents[i]
}

// counted reports whether a symbol's name is a number: p..stmp_12 is the thirteenth literal of
// the package.
func counted(name string) bool {
	at := strings.LastIndex(name, "..")
	if at < 0 {
		return false
	}
	last := strings.TrimRight(name[at+2:], "0123456789")
	return len(last) < len(name)-at-2 && (last == "stmp_" || last == "gobytes.")
}

// initTask ends the name of what initialises a package.
const initTask = "..inittask"

// own returns the number of a symbol that is not another package's.
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

// target returns the name of what a reference is to, "" if that is nothing.
func (o *object) target(r symbolRef) string {
	if r.pkg == 0 {
		return ""
	}
	if r.pkg == builtin { // a function of the runtime, the same one in each program of a toolchain
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

// unknown is the name of what a reference without a name is to. It is never the same on both sides.
const unknown = "#unknown"

// hash hashes a symbol: what it is, its bytes, what they refer to, and what the garbage collector has to know of it.
// The tables of files and lines do not count, nor the order in which the initialisation of a package names
// that of others, which is the order of imports: the linker makes its own (cmd/link/internal/ld/inittask.go).
func (o *object) hash(i int) (out [sha256.Size]byte) {
	sum := sha256.New()
	_, _ = sum.Write(o.symbolAt(i)[8:]) // all but the name
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
		// Of a type in another package no name is written; the compiler has made code of what it says.
		if name := o.target(r); kind == auxFuncdata || kind == auxGotype && name != unknown {
			_, _ = io.WriteString(sum, strconv.Itoa(len(name))+name)
		}
	})
	sum.Sum(out[:0])
	return out
}

// eachReloc calls f for each relocation of a symbol, with what describes it.
func (o *object) eachReloc(i int, f func(kind []byte, r symbolRef)) {
	from, to := o.span(blockRelocIndex, i)
	for k := from; k < to; k++ {
		b := o.at(blockRelocs, k, relocSize)
		f(b[:15], o.ref(b[15:]))
	}
}

// eachAux calls f for each symbol that describes another one.
func (o *object) eachAux(i int, f func(kind byte, r symbolRef)) {
	from, to := o.span(blockAuxIndex, i)
	for k := from; k < to; k++ {
		b := o.at(blockAux, k, auxSize)
		f(b[0], o.ref(b[1:]))
	}
}
