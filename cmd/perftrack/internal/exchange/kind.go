package exchange

import (
	"errors"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
)

// A kind is what a file of a parcel holds: the end of its name.
type kind string

const (
	runKind      kind = ".run"
	acceptedKind kind = ".accepted"
	deletedKind  kind = ".deleted"
)

// AcceptedFolder is where the names of parcels with one acceptance begin, and PackFolder
// those of parcels with many files.
const (
	AcceptedFolder = "accepted/"
	PackFolder     = "packs/"
)

// folders are where the names of parcels with one file begin, by its kind.
var folders = map[kind]string{runKind: "runs/", acceptedKind: AcceptedFolder, deletedKind: "deleted/"}

// idLen is the length of the id with which the name of a file begins.
const idLen = 64

func kindOf(f parcel.File) kind { return kind(f.Name[idLen:]) }

func idOf(f parcel.File) string { return f.Name[:idLen] }

// errNotItsName says that a file is not what its name says, for whoever reads it.
var errNotItsName = errors.New("its content does not have the hash that it is named by")

// AcceptedFile returns the name of the file in a parcel with one acceptance.
func AcceptedFile(p parcel.Parcel) string {
	return strings.TrimPrefix(p.Name, AcceptedFolder) + string(acceptedKind)
}

// IsAccepted reports whether a file of a parcel holds an acceptance.
func IsAccepted(f parcel.File) bool { return kindOf(f) == acceptedKind }

// ParseAccepted reads an acceptance from the file of a parcel, and checks it against the
// file's name.
func ParseAccepted(name string, text []byte) (record.Acceptance, error) {
	if record.IDOf(text) != name[:idLen] {
		return record.Acceptance{}, errNotItsName
	}
	return record.ParseAcceptance(text)
}
