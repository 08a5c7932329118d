package reach

import (
	"crypto/sha256"
	"strings"
)

// A symbol is a function, a type or a variable in a compiled package.
type symbol struct {
	name   string
	hash   [sha256.Size]byte
	refs   []reference
	goType bool
	itab   bool
}

// A reference leads from one symbol to another.
type reference struct {
	name string
	// use is set if the reference puts values of the type into an interface.
	use bool
	// method is set for a reference from a type to the code of one of its methods, which is reached
	// only if the type is used.
	method bool
}

const (
	relocSizeAt = 4 // position of the size in a relocation
	methodSize  = 4
)

// read returns the i-th symbol of the file.
func (o *object) read(i int) symbol {
	b := o.symbolAt(i)
	s := symbol{name: o.name(i), hash: o.hash(i), goType: b[11]&goTypeFlag != 0, itab: b[12]&itabFlag != 0}
	o.eachReloc(i, func(kind []byte, r symbolRef) {
		name, size := o.target(r), kind[relocSizeAt]
		if name == "" {
			return
		}
		s.refs = append(s.refs, reference{
			name: name,
			// A relocation without a size marks a type as used.
			use:    size == 0 || s.itab,
			method: s.goType && size == methodSize && isCode(name),
		})
	})
	o.eachAux(i, func(kind byte, r symbolRef) {
		if kind == auxFuncdata {
			s.refs = append(s.refs, reference{name: o.target(r)})
		}
	})
	return s
}

// isCode reports whether a reference from a type leads to the code of a method. Its other
// references lead to other types, names, and functions for garbage collection and comparison.
func isCode(name string) bool {
	return !strings.HasPrefix(name, "type:") && !strings.HasPrefix(name, "#") && !strings.HasSuffix(name, "·f")
}

// foreignSymbol returns a symbol for a non-Go part of a package.
func foreignSymbol(path string, m member) symbol {
	return symbol{name: path + "/" + m.name, hash: sha256.Sum256(m.text)}
}
