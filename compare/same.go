package compare

import "slices"

// SameCode counts the benchmarks of a package, or of a program, left out because they cannot have
// changed: base and head have the same machine code and the same testdata, or the same files that the
// target declares.
type SameCode struct {
	Target, Package string
	Benchmarks      int
}

// Program reports whether the benchmarks belong to a program rather than to a Go package. A program has
// the name of its target.
func (s SameCode) Program() bool { return s.Package == s.Target && s.Target != "" }

// Name returns the name of the package or the program, after that of its target.
func (s SameCode) Name() string {
	if s.Program() || s.Package == "" {
		return s.Target
	}
	return s.Target + " " + s.Package
}

// A Sameness is what is the same on both sides.
type Sameness bool

// These are the values of a Sameness. Of a program, other things than its machine code may have been
// compared.
const (
	SameMachineCode Sameness = false
	SameInputs      Sameness = true
)

// SamenessOf returns what is the same for all of the given benchmarks.
func SamenessOf(all ...SameCode) Sameness {
	return Sameness(slices.ContainsFunc(all, SameCode.Program))
}

// String describes the sameness in a sentence.
func (s Sameness) String() string {
	if s == SameInputs {
		return "nothing that the benchmarks depend on has changed"
	}
	return "both sides have the same machine code"
}

// Brief describes the sameness in a few words.
func (s Sameness) Brief() string {
	if s == SameInputs {
		return "nothing that they depend on changed"
	}
	return "same machine code"
}
