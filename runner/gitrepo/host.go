package gitrepo

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// RemoteHost returns the host that the repository is pushed to: that of origin, or of the only
// remote. It is "" where there is none, or where that is a path.
func (r *Repo) RemoteHost(ctx context.Context) (string, error) {
	remotes, err := r.Remotes(ctx)
	if err != nil {
		return "", err
	}
	name := "origin"
	if !slices.Contains(remotes, name) {
		if len(remotes) != 1 {
			return "", nil
		}
		name = remotes[0]
	}
	out, err := r.git(ctx, "remote", "get-url", "--", name)
	if err != nil {
		return "", fmt.Errorf("find the address of remote %s of %s: %w", name, r.root, err)
	}
	return hostOf(strings.TrimSpace(string(out))), nil
}

// scpAddress is how ssh is written in short: user@host:path.
var scpAddress = regexp.MustCompile(`^(?:[^@/:]+@)?([A-Za-z0-9][A-Za-z0-9.-]+):`)

// hostOf returns the host of a remote's address, "" of a path.
func hostOf(address string) string {
	if strings.Contains(address, "://") {
		u, err := url.Parse(address)
		if err != nil || u.Scheme == "file" {
			return ""
		}
		return u.Hostname()
	}
	if m := scpAddress.FindStringSubmatch(address); m != nil {
		return m[1]
	}
	return ""
}
