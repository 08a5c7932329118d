// Package bench contains code for the benchmarks in its test files.
package bench

import "sync"

// Add is small enough to be inlined.
func Add(a, b int) int { return a + b }

// Square calls a function that is inlined, too.
func Square(x int) int { return Mul(x, x) }

// Mul is small enough to be inlined.
func Mul(a, b int) int { return a * b }

// Kept is never inlined.
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

// Count writes to a package variable.
func Count() int { counter++; return counter }

var counter int

// MakeInput returns n numbers.
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

// Sum returns the sum of the numbers.
func Sum(s []int) (sum int) {
	for _, x := range s {
		sum += x
	}
	return sum
}

var remembered = map[int]int{}

// Remembered stores its results in a map.
func Remembered(n int) int {
	if x, ok := remembered[n]; ok {
		return x
	}
	x := Fib(n)
	remembered[n] = x
	return x
}

var safely sync.Map

// RememberedSafely is like Remembered, but safe for concurrent use.
func RememberedSafely(n int) int {
	if x, ok := safely.Load(n); ok {
		return x.(int)
	}
	x := Fib(n)
	safely.Store(n, x)
	return x
}

// Counted reads from a map without writing to it.
func Counted(n int) int {
	if x, ok := forgotten[n]; ok {
		return x
	}
	return n
}

// Forget clears the map that Counted reads.
func Forget() { clear(forgotten) }

var forgotten = map[int]int{}
