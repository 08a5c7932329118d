// Package gitrepo answers questions about the git repository around a directory.
//
// It says which commit a revision means ([Repo.Resolve], in commit.go, the file to begin
// with), in what order commits stand ([Repo.Order]), what a file was in each of them
// ([Repo.FileHistory]), and in what state the user's files are ([Repo.WorkTree]). Two
// packages below it change something: worktree checks a commit out, and parcel exchanges
// files with remotes.
//
// Text from outside (a revision) reaches exactly one command, rev-parse, behind
// --end-of-options; what comes back is a full object name, and only object names
// that were checked to be 40 or 64 hexadecimal digits go further. The path of
// [Repo.FileHistory] reaches rev-list and diff-tree, behind -- and the pathspec magic
// that says how it is meant. Which commands of the repository git may run in turn is
// decided in one place, the package internal/git.
package gitrepo
