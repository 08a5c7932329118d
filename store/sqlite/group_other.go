//go:build !unix

package sqlite

import (
	"io/fs"
	"os"
)

func sameGroup(_, _ fs.FileInfo) bool { return true }

func giveGroup(*os.File, fs.FileInfo) {}
