// Package artifact reads what the measuring job of a pull request left, which a stranger
// may have written: nothing in it is believed before it was bounded and checked.
//
// A zip archive or a file comes in; the runs of one trial go out. Begin with artifact.go;
// reader.go reads the text and stops at the first limit.
//
// The bytes of an archive or a file go in, runs come out. Begin with artifact.go;
// reader.go reads the text of a trial within bounds.
package artifact
