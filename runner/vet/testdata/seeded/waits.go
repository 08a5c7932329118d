package bench

import "time"

// Remote takes a while, whatever it is asked.
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

// Limited sleeps only where there is no token left.
func Limited(tokens *int) {
	if *tokens > 0 {
		*tokens--
		return
	}
	time.Sleep(time.Microsecond)
}

// Polled sleeps until something is there.
func Polled(ready func() bool) {
	for !ready() {
		time.Sleep(time.Microsecond)
	}
}
