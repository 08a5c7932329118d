package gitrepo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// Listed lists the files in dir, a folder of a work tree, that git tracks, and those that it neither
// tracks nor ignores. The paths are relative to dir, with slashes. A tracked file may be missing.
func Listed(ctx context.Context, dir string) (tracked, others []string, err error) {
	config, _, err := git.FilterConfig(ctx, dir)
	if err != nil {
		return nil, nil, fmt.Errorf("list files in %s: %w", dir, err)
	}
	for _, call := range []struct {
		args []string
		into *[]string
	}{{[]string{"--cached"}, &tracked}, {[]string{"--others", "--exclude-standard"}, &others}} {
		out, err := git.Output(ctx, git.Call{Dir: dir, Config: config, Args: append([]string{"ls-files", "-z"}, call.args...)})
		if err != nil {
			return nil, nil, fmt.Errorf("list files in %s: %w", dir, err)
		}
		for file := range strings.SplitSeq(string(out), "\x00") {
			if file != "" {
				*call.into = append(*call.into, file)
			}
		}
		*call.into = slices.Compact(*call.into) // an unmerged file is listed once for each version
	}
	return tracked, others, nil
}
