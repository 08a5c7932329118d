// Package trackers reads the files and the histories of other trackers of benchmark results. Start
// with bencher.go.
package trackers
