// Package docs embeds the pages of the documentation so that perftrack help can print them without
// the source tree.
package docs

import "embed"

// Pages contains the .md files in this directory.
//
//go:embed *.md
var Pages embed.FS
