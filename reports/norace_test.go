//go:build !race

package reports

// raced reports whether the race detector is on. The race detector makes rendering ten times
// slower.
const raced = false
