// Package bench contains the code for the benchmarks beside it.
package bench

import "sync"

// Add is small enough to be copied into its caller.
func Add(a, b int) int { return a + b }

// Square calls what is copied as well.
func Square(x int) int { return Mul(x, x) }

// Mul is small, too.
func Mul(a, b int) int { return a * b }

// Kept is never copied into its caller.
//
//go:noinline
func Kept(x int) int { return x + 1 }

// Fib calls itself.
func Fib(n int) int {
	if n < 2 {
		return n
	}
	return Fib(n-1) + Fib(n-2)
}

// Count writes what outlives it.
func Count() int { counter++; return counter }

var counter int

// MakeInput prepares n numbers.
func MakeInput(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i * 7919 % n
	}
	return s
}

// BubbleSort sorts in place.
func BubbleSort(s []int) {
	for i := range s {
		for j := i + 1; j < len(s); j++ {
			if s[j] < s[i] {
				s[i], s[j] = s[j], s[i]
			}
		}
	}
}

// Sum adds numbers up.
func Sum(s []int) (sum int) {
	for _, x := range s {
		sum += x
	}
	return sum
}

var remembered = map[int]int{}

// Remembered keeps its results.
func Remembered(n int) int {
	if x, ok := remembered[n]; ok {
		return x
	}
	x := Fib(n)
	remembered[n] = x
	return x
}

var safely sync.Map

// RememberedSafely keeps them for many goroutines.
func RememberedSafely(n int) int {
	if x, ok := safely.Load(n); ok {
		return x.(int)
	}
	x := Fib(n)
	safely.Store(n, x)
	return x
}

// Counted looks into a map that it does not fill.
func Counted(n int) int {
	if x, ok := forgotten[n]; ok {
		return x
	}
	return n
}

// Forget empties what Counted looks into.
func Forget() { clear(forgotten) }

var forgotten = map[int]int{}
