// Package gitrepo is the one place of perftrack that runs git.
//
// In the flow engine -> runner -> store -> compare -> reports it stands at the
// start of the runner: it turns what the user typed into a commit, says in what
// state the work tree is, checks a commit out into a throw-away worktree where it
// can be built, and orders stored commits by history rather than by date.
//
// # What reaches git
//
// Text from outside (a revision) reaches exactly one command, rev-parse, behind
// --end-of-options; what comes back is a full object name, and only object names
// that were checked to be 40 or 64 hexadecimal digits go further. The path of
// [Repo.FileHistory] reaches rev-list and diff-tree, behind -- and the pathspec magic
// that says how it is meant.
//
// # What git may run
//
// No command that the repository itself names is run: hooks, the file system
// monitor, submodules and filter drivers of the repository's own configuration are
// off. Filter drivers of the user's or the machine's configuration stay on, because
// they are the user's choice for every checkout and a benchmark may need the files
// (Git LFS); so does Git LFS with its stock commands when it stands in the
// repository's configuration, which is how CI checkouts install it. What was left
// out is told in [Worktree.Caveats].
//
// No command but the checkout of [Repo.AddWorktree] may reach the network; that one
// may, since a partial clone fetches file contents when they are checked out.
//
// # Inside hooks
//
// perftrack may be called by a git hook or by git bisect run. The variables by which
// git tells a hook its repository (GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE and their
// kin) are dropped: they name one repository and one index, while perftrack works on
// the repository around a directory and on a second worktree of it, whose index they
// would overwrite. A repository that is found only through GIT_DIR is not supported.
// Configuration passed through the environment (GIT_CONFIG_COUNT, git -c) is kept:
// containers allow their directory (safe.directory) that way.
package gitrepo
