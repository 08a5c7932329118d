package gitrepo

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// RemoteHost returns the host of the remote origin, or of the only remote. It is "" if there is no
// such remote or if the remote's address is a path.
func (r *Repo) RemoteHost(ctx context.Context) (string, error) {
	address, err := r.remoteAddress(ctx)
	return hostOf(address), err
}

// RemoteWeb returns the web address of the repository at the same remote, such as
// https://github.com/owner/name, or "" if it is unknown. The host and path contain only letters,
// digits and . _ - ~ /, and the address contains no user name.
func (r *Repo) RemoteWeb(ctx context.Context) (string, error) {
	address, err := r.remoteAddress(ctx)
	return webOf(address), err
}

// remoteAddress returns the address of origin, or of the only remote, or "" if there is no such
// remote.
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

// RemoteClone returns the address of origin, or of the only remote, from which others can clone the
// repository, or "" if there is no such remote. It has no password, and a path is absolute.
func (r *Repo) RemoteClone(ctx context.Context) (string, error) {
	address, err := r.remoteAddress(ctx)
	if err != nil || address == "" {
		return "", err
	}
	if u, err := url.Parse(address); err == nil && strings.Contains(address, "://") {
		if _, secret := u.User.Password(); secret || strings.HasPrefix(u.Scheme, "http") {
			u.User = nil
		}
		return u.String(), nil
	}
	if !filepath.IsAbs(address) && !scpAddress.MatchString(address) {
		address = filepath.Join(r.root, address)
	}
	return address, nil
}

// scpAddress matches the short form of an ssh address: user@host:path.
var scpAddress = regexp.MustCompile(`^(?:[^@/:]+@)?([A-Za-z0-9][A-Za-z0-9.-]+):`)

// hostOf returns the host in a remote's address, or "" if the address is a path.
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

// webOf returns the web address for a remote's https or ssh address. Hosting sites use the same
// path for both.
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
