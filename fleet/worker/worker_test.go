package worker

import (
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/fleet/jobs"
)

// A child gets no variable that could hold a secret.
func TestChildEnv(t *testing.T) {
	got := childEnv([]string{
		"PATH=/bin", "PERFTRACK_DB=postgres://u:p@h/d", "GITHUB_TOKEN=x", "AWS_SECRET_ACCESS_KEY=x", "PGPASSWORD=x", "SSH_AUTH_SOCK=x",
		"GOPROXY=https://u:p@proxy", "GOFLAGS=-mod=mod", "HOME=/home/u", "EMPTY",
	})
	if want := []string{"PATH=/bin", "GOFLAGS=-mod=mod", "HOME=/home/u"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestCheckArgs(t *testing.T) {
	c := jobs.Check{Base: "b", Head: "h", Class: "c", URL: "/r", Priority: "release", PullRequest: "7", Optional: true, Flags: []string{"--benchtime=1s"}}
	want := "check --benchtime=1s --workers=c --repo=/r --base=b --head=h --priority=release --pull-request=7 --optional"
	if got := strings.Join(checkArgs(c), " "); got != want {
		t.Errorf("%s", got)
	}
	env := checkEnv([]string{"A=b", "PERFTRACK_DB=postgres://h/d?x=y"}, "r")
	if want := []string{"A=b", "PERFTRACK_DB=postgres://h/d?repository=r&x=y"}; !slices.Equal(env, want) {
		t.Errorf("%q", env)
	}
}
