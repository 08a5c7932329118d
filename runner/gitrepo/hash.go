package gitrepo

import "regexp"

var fullHash = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// IsHash reports whether s is the full hash of an object: which no tag and no
// branch can move.
func IsHash(s string) bool { return fullHash.MatchString(s) }
