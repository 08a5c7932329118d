package setup

import (
	"context"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// pagesAddress returns the address of a repository on GitHub Pages, assuming it has no custom
// domain. It returns "" if the remote is not on github.com.
func pagesAddress(ctx context.Context, repo *gitrepo.Repo) (string, error) {
	web, err := repo.RemoteWeb(ctx)
	if err != nil {
		return "", fault.Git(err)
	}
	return pagesOf(web), nil
}

func pagesOf(web string) string {
	path, ok := strings.CutPrefix(web, "https://github.com/")
	owner, name, two := strings.Cut(path, "/")
	if !ok || !two || strings.Contains(name, "/") {
		return ""
	}
	host := strings.ToLower(owner) + ".github.io"
	if strings.EqualFold(name, host) { // the owner's own page
		return "https://" + host
	}
	return "https://" + host + "/" + name
}

// AfterPages returns a text about the remaining steps to publish the page and link to it in
// comments, or "" without a page.
func (res Result) AfterPages() string {
	if !res.Pages {
		return ""
	}
	text := "choose GitHub Actions as the source of the page (Settings, Pages)"
	for _, f := range res.Files {
		if strings.HasSuffix(f.Path, ".toml") && !f.Written && res.KeptSite == "" {
			address := res.Site
			if address == "" {
				address = "https://..."
			}
			text += ", and set site = \"" + address + "\" in [defaults] in perftrack.toml, so that comments link to it"
		}
	}
	return text
}
