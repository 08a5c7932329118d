//go:build !race

package evaluation

const race = false
