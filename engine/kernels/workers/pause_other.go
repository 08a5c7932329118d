//go:build !amd64

package workers

import "runtime"

// pause yields the processor for a moment.
func pause(int) { runtime.Gosched() }
