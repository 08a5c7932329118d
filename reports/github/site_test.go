package github

import (
	"regexp"
	"strings"
	"testing"
)

// The name of a changed benchmark links to its page if there is a site, and is still set as code.
func TestPageLinks(t *testing.T) {
	link := regexp.MustCompile(`<a href="https://owner\.github\.io/repository/#/b/b[0-9a-f]{16}"><code>`)
	linked := 0
	for name, f := range cases(t) {
		if strings.Contains(f.Comment(), "/#/b/") {
			t.Errorf("%s links to a page that nobody named", name)
		}
		f.opt.Site = "https://owner.github.io/repository"
		comment := f.Comment()
		found := len(link.FindAllString(comment, -1))
		if found != strings.Count(comment, "/#/b/") || (len(f.changed) > 0) != (found > 0) {
			t.Errorf("%s: %d links for %d changed rows in\n%s", name, found, len(f.changed), comment)
		}
		linked += found
	}
	if linked == 0 {
		t.Error("nothing is linked")
	}
}
