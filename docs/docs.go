// Package docs has the pages of the documentation, which perftrack help prints, so that whoever
// has nothing but the binary can read what its messages point to.
package docs

import "embed"

// Pages are the files of this folder that end in .md.
//
//go:embed *.md
var Pages embed.FS
