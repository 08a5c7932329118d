// Package setup makes a repository ready for perftrack.
//
// It writes perftrack.toml and the workflows, with the action pinned to a commit, and never
// overwrites a file that is there. Begin with initialize.go; config.go has the text of
// perftrack.toml, and workflows/ the workflows.
package setup
