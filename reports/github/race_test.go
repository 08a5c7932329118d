//go:build race

package github

// raced reports whether the race detector is on. The race detector makes parsing ten times slower.
const raced = true
