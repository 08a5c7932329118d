package bench

import "time"

// Remote always sleeps for a microsecond.
func Remote(x int) (int, error) {
	x = Kept(x)
	time.Sleep(time.Microsecond)
	return x, nil
}

// Retry calls Remote at least once.
func Retry(x int) (n int, err error) {
	for range 3 {
		if n, err = Remote(x); err == nil {
			return n, nil
		}
	}
	return n, err
}

// Limited sleeps only if no token is left.
func Limited(tokens *int) {
	if *tokens > 0 {
		*tokens--
		return
	}
	time.Sleep(time.Microsecond)
}

// Polled sleeps until ready returns true.
func Polled(ready func() bool) {
	for !ready() {
		time.Sleep(time.Microsecond)
	}
}
