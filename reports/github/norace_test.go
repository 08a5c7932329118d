//go:build !race

package github

// raced says that the race detector is on, which makes parsing ten times slower.
const raced = false
