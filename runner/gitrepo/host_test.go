package gitrepo

import "testing"

func TestHostOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://gitlab.example.org/a/b.git": "gitlab.example.org", "https://user:secret@github.com/a/b": "github.com", "http://h:8080/x": "h",
		"ssh://git@codeberg.org:2222/a/b": "codeberg.org", "git@gitlab.com:a/b.git": "gitlab.com", "host.example:a/b": "host.example", "git://h/x": "h",
		"/srv/git/gitlab.git": "", "../github": "", "file:///srv/gitlab.com/x": "", "./a:b": "", "": "", "C:/x": "", "https://%zz/x": "",
	} {
		if got := hostOf(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
