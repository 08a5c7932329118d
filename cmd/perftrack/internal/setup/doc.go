// Package setup makes a repository ready for perftrack.
//
// A repository comes in; its perftrack.toml and the workflows, with the action pinned to a
// commit, are written beside what is there, and never over it. Begin with initialize.go;
// config.go has the text of perftrack.toml, and workflows/ the workflows.
package setup
