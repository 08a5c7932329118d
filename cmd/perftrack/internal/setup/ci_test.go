package setup

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
)

func TestCIOfHost(t *testing.T) {
	for host, want := range map[string]CI{
		"github.com": GitHub, "github.example.com": GitHub, "gitlab.com": GitLab, "GitLab.Example.org": GitLab, "codeberg.org": Forgejo, "gitea.example": Forgejo,
		"forgejo.example": Forgejo, "git.example.org": "", "mygitlab.example": "", "": "", "notgithub.com": "",
	} {
		if got := ciOfHost(host); got != want {
			t.Errorf("%s: %q, want %q", host, got, want)
		}
	}
}

func TestCIOfFiles(t *testing.T) {
	for _, tt := range []struct {
		files string
		want  CI
	}{
		{"", ""}, {".gitlab-ci.yml", GitLab}, {".github/workflows/ci.yml", GitHub}, {".forgejo/workflows/a.yml", Forgejo}, {".gitea/workflows/a.yml", Forgejo},
		{".forgejo/workflows/a.yml .gitea/workflows/a.yml", Forgejo}, {".gitlab-ci.yml .github/workflows/ci.yml", ""}, {".github/CODEOWNERS", ""},
	} {
		tree := fstest.MapFS{}
		for name := range strings.FieldsSeq(tt.files) {
			tree[name] = &fstest.MapFile{}
		}
		if got := ciOfFiles(tree); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.files, got, tt.want)
		}
	}
}

// The files for every CI name the commit and contain no placeholders.
func TestCIFiles(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for _, ci := range CIs {
		files, err := initFiles(Result{Branch: "trunk", Tree: modules.Tree{GoModule: true}, CI: ci}, commit)
		if err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, f := range files[1:] {
			all += f.text
		}
		if !strings.Contains(all, "@"+commit) && !strings.Contains(all, "PERFTRACK: "+commit) {
			t.Errorf("%s names no commit", ci)
		}
		for _, left := range []string{"perftrack-commit\n", "perftrack-branch", "perftrack-action"} {
			if strings.Contains(all, left) {
				t.Errorf("%s has %q", ci, left)
			}
		}
	}
	if _, err := initFiles(Result{CI: "jenkins"}, commit); err == nil || !strings.Contains(err.Error(), "is not github, gitlab, forgejo or generic") {
		t.Error(err)
	}
}
