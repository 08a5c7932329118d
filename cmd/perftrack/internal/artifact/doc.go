// Package artifact reads the artifact of a pull request's measuring job. A stranger may have
// written it, so its size is limited and its content is checked before use.
//
// The package reads the runs of one trial from a zip archive or a text file. Start with
// artifact.go. The code in reader.go parses the text and stops at the first limit exceeded.
package artifact
