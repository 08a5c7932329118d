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

func TestWebOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/a/b.git": "https://github.com/a/b", "https://github.com/a/b/": "https://github.com/a/b", "https://user:secret@github.com/a/b": "https://github.com/a/b",
		"git@gitlab.com:a/sub/b.git": "https://gitlab.com/a/sub/b", "ssh://git@codeberg.org:2222/a/b.git": "https://codeberg.org/a/b", "https://git.example.org:8443/a/b": "https://git.example.org:8443/a/b",
		"git@host.example:/srv/b": "https://host.example/srv/b",
		"http://github.com/a/b":   "", "git://github.com/a/b": "", "file:///srv/b": "", "/srv/b.git": "", "../b": "", "": "", "https://github.com": "", "https://github.com/": "", "https://localhost/a/b": "",
		"https://github.com/a/../b": "", "https://github.com/a/b<script>": "", "https://github.com/a/b](x)": "", "https://github.com/a b": "", "git@github.com:a/b\"x": "", "https://[::1]/a": "", "https://github.com/a/b?x=1#y": "https://github.com/a/b",
	} {
		if got := webOf(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
