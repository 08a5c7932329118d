// Package artifact reads what the measuring job of a pull request left, which a stranger
// may have written: nothing in it is believed before it was bounded and checked.
//
// It reads the runs of one trial from a zip archive or a file. Begin with artifact.go;
// reader.go reads the text and stops at the first limit.
package artifact
