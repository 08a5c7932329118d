//go:build !race

package workloads

const raceDetector = false

func programs() []string { return Suites() }
