//go:build race

package evaluation

// race reports whether the race detector is enabled. With the detector, tests only have to run the
// goroutines; exact figures do not matter.
const race = true
