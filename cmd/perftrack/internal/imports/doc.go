// Package imports stores results from other programs. It reads files in any known format, and
// versions of such files in a repository's history.
//
// Start with imports.go. input.go and runs.go read the runs in a file, githistory.go follows a file
// through its commits, commits.go completes the commits that files name, and nightly.go defines the
// keys of the Go project's builders.
package imports
