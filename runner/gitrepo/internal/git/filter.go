package git

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// FilterConfig returns the settings that switch off the filter drivers which the
// configuration of the worktree at dir defines by itself, and the names of those
// drivers: an includeIf can give each worktree another configuration.
//
// A filter driver is a command that git runs on the content of files during a
// checkout and a status. See the package comment for which of them may run.
func FilterConfig(ctx context.Context, dir string) (config, drivers []string, err error) {
	out, err := Output(ctx, Call{Dir: dir, Args: []string{"config", "--null", "--show-scope",
		"--get-regexp", `^filter\..*\.(clean|smudge|process|required)$`}})
	if err != nil && ExitCode(err) != 1 { // 1: nothing matches
		return nil, nil, err
	}
	off := make(map[string]bool)
	// Entries are "scope NUL key LF value NUL".
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		scope := fields[i]
		key, value, _ := strings.Cut(fields[i+1], "\n")
		dot := strings.LastIndexByte(key, '.')
		driver, variable := key[len("filter."):dot], key[dot+1:]
		if (scope == "local" || scope == "worktree") && !isStockLFS(driver, variable, value) {
			off[driver] = true
		}
	}
	drivers = slices.Sorted(maps.Keys(off))
	for _, driver := range drivers {
		for _, variable := range []string{"clean", "smudge", "process", "required"} {
			// Not -c, which would cut a driver name that holds a '='. An empty value
			// is no command, and false for required.
			config = append(config, fmt.Sprintf("--config-env=filter.%s.%s=%s", driver, variable, emptyVariable))
		}
	}
	return config, drivers, nil
}

// emptyVariable is the environment variable that --config-env reads "" from.
const emptyVariable = "PERFTRACK_GIT_EMPTY"

// isStockLFS reports whether a setting of a filter driver is one that
// `git lfs install --local` writes.
func isStockLFS(driver, variable, value string) bool {
	if driver != "lfs" {
		return false
	}
	switch variable {
	case "clean":
		return value == "git-lfs clean -- %f"
	case "smudge":
		return value == "git-lfs smudge -- %f" || value == "git-lfs smudge --skip -- %f"
	case "process":
		return value == "git-lfs filter-process" || value == "git-lfs filter-process --skip"
	}
	return variable == "required"
}
