// Package trackers reads the files and the histories of other trackers of benchmark results.
//
// Start with bencher.go, a file of one run. A history has the results of many commits: its reader sets
// the commit of each result, so that one file becomes a run for each commit. history.go has what the
// readers of histories share.
package trackers
