// Package setup prepares a repository for perftrack.
//
// It writes perftrack.toml and the workflows, with the action pinned to a commit. It never
// overwrites a file. Start with initialize.go, which writes the files. config.go deals with an
// existing perftrack.toml, and workflows/ contains the workflows for GitHub; ci.go detects the CI,
// and ci/ contains the jobs for other CIs.
package setup
