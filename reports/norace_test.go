//go:build !race

package reports

// raced reports whether the race detector is on, which makes rendering ten times slower.
const raced = false
