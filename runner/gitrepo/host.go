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
	address, err := r.remoteAddress(ctx)
	return hostOf(address), err
}

// RemoteWeb returns the address at which a browser finds the repository of that remote, as in
// https://github.com/owner/name, or "" where that cannot be told. Nothing of it but letters,
// digits and . _ - ~ / is from outside, and it names no user.
func (r *Repo) RemoteWeb(ctx context.Context) (string, error) {
	address, err := r.remoteAddress(ctx)
	return webOf(address), err
}

// remoteAddress is the address of origin, or of the only remote, "" where there is none.
func (r *Repo) remoteAddress(ctx context.Context) (string, error) {
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
	return strings.TrimSpace(string(out)), nil
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

var (
	webHost = regexp.MustCompile(`^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`)
	webPath = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$`)
)

// webOf returns where a browser finds what a remote's address names. An address over https or
// ssh tells, since the forges have both at the same path.
func webOf(address string) string {
	host, path := hostOf(address), ""
	if u, err := url.Parse(address); err == nil && (u.Scheme == "https" || u.Scheme == "ssh") {
		path = u.Path
		if u.Scheme == "https" && u.Port() != "" {
			host += ":" + u.Port()
		}
	} else if !strings.Contains(address, "://") && scpAddress.MatchString(address) {
		_, path, _ = strings.Cut(address, ":")
		path = "/" + strings.TrimPrefix(path, "/")
	}
	name, _, _ := strings.Cut(host, ":")
	path = strings.TrimSuffix(strings.TrimSuffix(path, "/"), ".git")
	if !webHost.MatchString(name) || !webPath.MatchString(path) {
		return ""
	}
	return "https://" + host + path
}
