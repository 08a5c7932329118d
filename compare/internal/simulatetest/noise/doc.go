// Package noise has the kinds of noise that a machine makes.
//
// noise.go says what a machine is, of which no more is known than that time passes;
// families.go has those that nothing was tuned on. place.go has noise that knows which
// sample of a trial it is drawn for, and memory.go what of that remembers.
package noise
