package gitrepo

import (
	"context"
	"net/url"
	"strings"
)

// RemoteName returns the host and the path of the remote origin, or of the only remote, such as
// github.com/owner/name. All clones have the same name, whether they use https or ssh. It is "" if
// there is no such remote or if the remote's address is a path.
func (r *Repo) RemoteName(ctx context.Context) (string, error) {
	address, err := r.remoteAddress(ctx)
	return remoteName(address), err
}

func remoteName(address string) string {
	host, path := strings.ToLower(hostOf(address)), ""
	if host == "" {
		return ""
	}
	if u, err := url.Parse(address); err == nil && strings.Contains(address, "://") {
		path = u.Path
	} else {
		_, path, _ = strings.Cut(address, ":")
	}
	if path = strings.TrimSuffix(strings.Trim(path, "/"), ".git"); path == "" {
		return ""
	}
	return host + "/" + path
}
