package reach

import (
	"crypto/sha256"
	"strings"
)

// A symbol is a function, a type or a variable of a compiled package.
type symbol struct {
	name   string
	hash   [sha256.Size]byte
	refs   []reference
	goType bool
	itab   bool
}

// A reference is one that a symbol makes to another one.
type reference struct {
	name string
	// use marks a type whose values are put into interfaces there.
	use bool
	// method is one of a type to what a method of it does: it counts if the type is used.
	method bool
}

const (
	relocSizeAt = 4 // of the size in a relocation
	methodSize  = 4
)

// read makes a symbol of the i-th one of the file.
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
			// What has no size marks something: that a type is used is all that it can say of one.
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

// isCode tells the functions of methods from what else a type refers to: other types, its names,
// how it is collected and how it is compared.
func isCode(name string) bool {
	return !strings.HasPrefix(name, "type:") && !strings.HasPrefix(name, "#") && !strings.HasSuffix(name, "·f")
}

// foreignSymbol is a part of a package that is not Go's.
func foreignSymbol(path string, m member) symbol {
	return symbol{name: path + "/" + m.name, hash: sha256.Sum256(m.text)}
}
