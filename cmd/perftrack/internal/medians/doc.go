// Package medians passes the newest medians in the history to the job that comments on a pull
// request. The job draws them but has no store of its own.
//
// The code in medians.go reads the medians from a store. The code in document.go writes them to a
// document, and reads untrusted documents while enforcing limits.
package medians
