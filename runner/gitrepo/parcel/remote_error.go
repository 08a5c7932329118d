package parcel

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// ErrNoRemote means that there is no remote to exchange parcels with.
var ErrNoRemote = errors.New("the repository has no remote: add one with `git remote add origin URL`, or give a URL or a path")

// A RemoteError reports that a remote could not be read or written.
type RemoteError struct {
	Remote string // as the user named it
	Action string // read or write
	Denied bool   // the remote exists, but does not permit the action
	Detail string // git's message, untrusted text
}

func (e *RemoteError) Error() string {
	remedy := "check the network, and the remote's name with `git remote -v`"
	switch {
	case strings.Contains(e.Detail, "transport '"):
		remedy = "give an https, ssh or file URL, or a path"
	case e.Denied && e.Action == "write":
		remedy = "no permission to write refs/perftrack/* there; use credentials with push access, or only receive with --no-push"
	case e.Denied:
		remedy = "no permission to read it; check your credentials"
	}
	return fmt.Sprintf("%s remote %s: %s: %s", e.Action, ShownRemote(e.Remote), cmp.Or(essence(e.Detail), e.Detail), remedy)
}

// denials lists phrases in git's messages about a remote that denies access or hides its existence.
var denials = []string{
	"Permission denied", "ermission to ", "error: 403", "error: 401", "HTTP 403", "HTTP 401", "Authentication failed", "could not read Username",
	"could not read Password", "access denied", "Access denied", "read-only", "not allowed", "insufficient permission",
}

func remoteError(remote, action string, err error) error {
	detail := git.Stderr(err)
	if detail == "" {
		return err
	}
	return &RemoteError{remote, action, isDenial(detail), detail}
}

func isDenial(stderr string) bool {
	return slices.ContainsFunc(denials, func(s string) bool { return strings.Contains(stderr, s) })
}

var credentials = regexp.MustCompile(`^([a-z][a-z0-9+.-]*://)[^/]*@`)

// ShownRemote returns a remote's name in a form that may be shown: without the user and password if
// the name is a URL.
func ShownRemote(name string) string { return credentials.ReplaceAllString(name, "$1") }

// platitudes lists phrases that git prints after every failure with a remote.
var platitudes = []string{
	"Could not read from remote repository.", "Please make sure you have the correct access rights", "and the repository exists.",
	"failed to push some refs to", "the remote end hung up unexpectedly",
}

// maxEssence is the maximum number of bytes shown from git's message, because a hook may write
// anything.
const maxEssence = 500

// essence returns the reason in git's messages on one line, or "".
func essence(stderr string) string {
	var telling []string
	for line := range strings.FieldsFuncSeq(stderr, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "remote:"))
		for _, level := range []string{"fatal:", "error:"} {
			line = strings.TrimSpace(strings.TrimPrefix(line, level))
		}
		if line != "" && !slices.ContainsFunc(platitudes, func(s string) bool { return strings.Contains(line, s) }) {
			telling = append(telling, line)
		}
	}
	text := strings.Join(slices.Compact(telling), "; ")
	if len(text) > maxEssence {
		text = strings.ToValidUTF8(text[:maxEssence], "") + "..."
	}
	return text
}
