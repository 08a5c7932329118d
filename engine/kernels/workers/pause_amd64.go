package workers

// pause waits for n of the processor's PAUSE instructions, some 10 to 40 ns each, in which it
// leaves its resources and its power to others.
//
//go:noescape
func pause(n int)
