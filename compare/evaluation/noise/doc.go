// Package noise simulates kinds of noise on a machine.
//
// noise.go defines a machine, whose noise depends only on the passage of time, and families.go has
// kinds of noise that no rule was tuned on. place.go has noise that depends on the place of a
// sample in its trial, and memory.go has noise that also depends on earlier samples.
package noise
