//go:build race

package sqlite

// The race detector makes every process of a torture start many times slower.
const underRace = true
