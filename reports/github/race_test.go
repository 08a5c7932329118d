//go:build race

package github

// raced reports whether the race detector is on. It makes parsing ten times slower.
const raced = true
