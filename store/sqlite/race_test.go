//go:build race

package sqlite

// underRace reports whether the race detector is on, which makes the processes of these tests start
// many times more slowly.
const underRace = true
