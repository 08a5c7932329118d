// Package git runs git, and is the only package of perftrack that does.
//
// A [Call] is one command of git. Its standard output is read whole ([Output]), record
// by record ([Records]), or object by object ([Objects]); [Stderr] is what git said of a
// failure. Begin with command.go. Only runner/gitrepo and what stands below it can
// import this package; all others ask those for commits, files and worktrees.
//
// # What git may run
//
// No command that the repository itself names is run: hooks, the file system
// monitor, submodules and filter drivers of the repository's own configuration are
// off. Filter drivers of the user's or the machine's configuration stay on, because
// they are the user's choice for every checkout and a benchmark may need the files
// (Git LFS); so does Git LFS with its stock commands when it stands in the
// repository's configuration, which is how CI checkouts install it. [FilterConfig]
// tells what was left out.
//
// A call reaches the network only where it says so. Without that, a partial clone
// fetches nothing that is missing.
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
package git
