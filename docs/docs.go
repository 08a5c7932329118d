// Package docs embeds the pages of the documentation, so that perftrack help can print them for
// users who have only the binary.
package docs

import "embed"

// Pages contains the .md files in this directory.
//
//go:embed *.md
var Pages embed.FS
