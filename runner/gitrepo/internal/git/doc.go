// Package git runs git. No other package in perftrack does so.
//
// A [Call] is one git command. Its standard output is read as a whole ([Output]), record by record
// ([Records]), or object by object ([Objects]); [Stderr] returns git's message about a failure.
// Start with command.go. Only runner/gitrepo and the packages below it can import this package; all
// other packages use gitrepo and its subpackages.
//
// # Commands run by git
//
// Git does not run commands configured by the repository: its hooks, file system monitor,
// submodules and filter drivers are disabled. Filter drivers in the user's or the machine's
// configuration remain enabled, because the user chose them for every checkout and a benchmark may
// need the files (Git LFS). Git LFS also remains enabled if the repository's configuration has its
// standard commands, as CI checkouts do. [FilterConfig] lists the disabled drivers.
//
// A call uses the network only if its field Network is set. Otherwise git does not fetch the
// objects missing in a partial clone.
//
// # Inside hooks
//
// perftrack may be called by a git hook or by git bisect run. Git passes the repository to a hook
// in variables such as GIT_DIR, GIT_WORK_TREE and GIT_INDEX_FILE. This package removes them from
// the environment, because they name one repository and one index, while perftrack works on the
// repository around a directory and on a second worktree of it, and would overwrite the index. A
// repository found only through GIT_DIR is not supported. Configuration in the environment
// (GIT_CONFIG_COUNT, git -c) is kept, because containers use it to mark their directory as safe
// (safe.directory).
package git
