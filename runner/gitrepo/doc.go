// Package gitrepo reads the git repository that contains a directory.
//
// It resolves revisions to commits ([Repo.Resolve], in commit.go, the file to start with), orders
// commits ([Repo.Order]), and reads the history of files ([Repo.FileHistory]) and the state of the
// user's files ([Repo.WorkTree]). Two packages below it make changes: worktree checks out a commit,
// and parcel exchanges files with remotes.
//
// Revisions are untrusted text and are passed to only one command, rev-parse, after
// --end-of-options. The answer is a full object name, and other commands get only object names
// checked to have 40 or 64 hexadecimal digits, or in [Repo.CommitsOf] fewer. The path for [Repo.FileHistory] is passed to
// rev-list and diff-tree after --, with a pathspec prefix for its interpretation. Only the package
// internal/git decides which of the commands configured by a repository git may run.
package gitrepo
