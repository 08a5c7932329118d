// Package noise has the kinds of noise that a machine makes: noise.go says what a
// machine is, families.go has those that nothing was tuned on.
package noise
