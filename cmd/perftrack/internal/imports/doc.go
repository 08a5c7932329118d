// Package imports stores the results that other programs wrote: files of any known format,
// and the versions of such files in the history of a repository.
//
// Begin with imports.go; input.go reads a file into runs, githistory.go follows one
// through its commits, nightly.go knows the keys of the Go project's builders.
package imports
