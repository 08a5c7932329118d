package app

import (
	"strings"
	"sync"
	"testing"
)

// One round each in turn, in the order of joining, until each has left.
func TestTurns(t *testing.T) {
	var turns turns
	var order strings.Builder // only the one whose turn it is writes: the race detector looks
	var ended sync.WaitGroup
	for i, rounds := range []int{3, 1, 4} {
		turn := turns.join()
		ended.Go(func() {
			<-turn
			defer turns.leave()
			for range rounds {
				order.WriteByte("abc"[i])
				turns.pass()
			}
		})
	}
	turns.leave()
	ended.Wait()
	if got, want := order.String(), "abcacacc"; got != want {
		t.Errorf("rounds %s, want %s", got, want)
	}
	if len(turns.waiting) > 0 {
		t.Errorf("%d wait for ever", len(turns.waiting))
	}
}
