//go:build !race

package reports

// raced says that the race detector is on, which makes rendering ten times slower.
const raced = false
