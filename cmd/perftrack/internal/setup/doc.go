// Package setup makes a repository ready for perftrack.
//
// A repository comes in; its perftrack.toml and the workflows, with the action pinned to a
// commit, are written beside what is there, and never over it. Begin with initialize.go;
// config.go has the text of perftrack.toml, and workflows/ the workflows.
//
// A repository goes in, the files that were written come out. Begin with initialize.go;
// workspace.go reads what is there.
package setup
