// Package setup makes a repository ready for perftrack.
//
// It writes perftrack.toml and the workflows, with the action pinned to a commit, and never
// overwrites a file that is there. Begin with initialize.go; config.go has the text of
// perftrack.toml, workflows/ the workflows of GitHub; ci.go tells the CIs apart, and ci/ has
// the jobs of the others.
package setup
