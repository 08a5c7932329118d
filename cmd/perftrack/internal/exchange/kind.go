package exchange

import (
	"errors"

	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
)

// A kind is the kind of content in a parcel's file. Its value is the ending of the file's name.
type kind string

const (
	runKind      kind = ".run"
	acceptedKind kind = ".accepted"
	deletedKind  kind = ".deleted"
)

// PackFolder is the prefix of the names of parcels. Early versions of perftrack put each file into a
// parcel of its own; AcceptedFolder is the prefix of those with an acceptance.
const (
	AcceptedFolder = "accepted/"
	PackFolder     = "packs/"
)

// folders maps a kind of file to the prefix of the names of the early parcels with that kind.
var folders = map[kind]string{runKind: "runs/", acceptedKind: AcceptedFolder, deletedKind: "deleted/"}

// idLen is the length of the id at the beginning of a file's name.
const idLen = 64

func kindOf(f parcel.File) kind { return kind(f.Name[idLen:]) }

func idOf(f parcel.File) string { return f.Name[:idLen] }

// errNotItsName is returned if the content of a file does not match its name.
var errNotItsName = errors.New("its name is not the hash of its content")

// IsAccepted reports whether a file in a parcel holds an acceptance.
func IsAccepted(f parcel.File) bool { return kindOf(f) == acceptedKind }

// ParseAccepted parses the acceptance in a parcel's file with the given name and text. It returns
// an error if the text does not match the name.
func ParseAccepted(name string, text []byte) (record.Acceptance, error) {
	if record.IDOf(text) != name[:idLen] {
		return record.Acceptance{}, errNotItsName
	}
	return record.ParseAcceptance(text)
}
