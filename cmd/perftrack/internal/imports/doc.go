// Package imports stores the results that other programs wrote: files of any known format,
// and the versions of such files in the history of a repository.
//
// Files or paths in git come in, runs go into the database. Begin with imports.go;
// input.go reads a file into runs, githistory.go follows one through its commits, nightly.go
// knows the keys of the Go project's builders.
package imports
