//go:build !linux

package childenv

// Seal does nothing, because this system has no /proc through which a process could read the
// environment of another process.
func Seal() error { return nil }
