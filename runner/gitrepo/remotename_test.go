package gitrepo

import "testing"

func TestRemoteName(t *testing.T) {
	for _, tt := range []struct{ address, want string }{
		{"https://github.com/owner/name.git", "github.com/owner/name"},
		{"https://user:secret@GitHub.com/owner/name/", "github.com/owner/name"},
		{"git@github.com:owner/name.git", "github.com/owner/name"},
		{"ssh://git@example.org:2222/~me/name.git", "example.org/~me/name"},
		{"https://example.org", ""}, {"/srv/git/name.git", ""}, {"../name", ""}, {"file:///srv/name.git", ""}, {"", ""},
	} {
		if got := remoteName(tt.address); got != tt.want {
			t.Errorf("remoteName(%q) = %q, want %q", tt.address, got, tt.want)
		}
	}
}
