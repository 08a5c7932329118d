//go:build !amd64

package workers

import "runtime"

// pause waits a moment.
func pause(int) { runtime.Gosched() }
