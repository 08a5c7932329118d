//go:build !race

package simulatetest

const race = false
