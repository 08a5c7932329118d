// Package setup makes a repository ready for perftrack: its perftrack.toml and the
// workflows, with the action pinned to a commit. It writes over nothing.
//
// A repository goes in, the files that were written come out. Begin with initialize.go;
// workspace.go reads what is there.
package setup
