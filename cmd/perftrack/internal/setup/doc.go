// Package setup makes a repository ready for perftrack: its perftrack.toml and the
// workflows, with the action pinned to a commit. It writes over nothing.
package setup
