package git

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// FilterConfig returns the settings that switch off the filter drivers defined in the configuration
// of the repository or of the worktree at dir, and the names of the drivers. The result depends on
// the worktree, because an includeIf can give each worktree a configuration of its own.
//
// A filter driver is a command that git runs on the content of files during a checkout or status.
// The package comment lists the allowed drivers.
func FilterConfig(ctx context.Context, dir string) (config, drivers []string, err error) {
	out, err := Output(ctx, Call{Dir: dir, Args: []string{"config", "--null", "--show-scope",
		"--get-regexp", `^filter\..*\.(clean|smudge|process|required)$`}})
	if err != nil && ExitCode(err) != 1 { // exit status 1 means no match
		return nil, nil, err
	}
	off := make(map[string]bool)
	// Each entry is "scope NUL key LF value NUL".
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
			// -c would split a driver name with a '='. An empty value means no command, and false
			// for required.
			config = append(config, fmt.Sprintf("--config-env=filter.%s.%s=%s", driver, variable, emptyVariable))
		}
	}
	return config, drivers, nil
}

// emptyVariable is an environment variable with the value "", for use with --config-env.
const emptyVariable = "PERFTRACK_GIT_EMPTY"

// isStockLFS reports whether a filter driver setting is exactly what `git lfs install --local`
// writes.
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
