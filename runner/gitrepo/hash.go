package gitrepo

import "github.com/perftrack/perftrack/runner/gitrepo/internal/git"

// IsHash reports whether s is the full hash of an object. Unlike a tag or branch, it always denotes
// the same object.
func IsHash(s string) bool { return git.IsObjectName(s) }
