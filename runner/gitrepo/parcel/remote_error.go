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

// ErrNoRemote says that there is no remote to exchange parcels with.
var ErrNoRemote = errors.New("no remote: add one with `git remote add origin URL`, or name a URL or a path")

// A RemoteError is a remote that could not be read or that refused to be written.
type RemoteError struct {
	Remote string // as the user named it
	Action string // read or write
	Denied bool   // it is there, and we may not
	Detail string // what git said, free text
}

func (e *RemoteError) Error() string {
	remedy := "check its name with `git remote -v`, and the network"
	switch {
	case strings.Contains(e.Detail, "transport '"):
		remedy = "name it by an https, ssh or file URL, or a path"
	case e.Denied && e.Action == "write":
		remedy = "no permission to write refs/perftrack/* there: receive only with --no-push, or use credentials that may push"
	case e.Denied:
		remedy = "no permission to read it: check your credentials"
	}
	return fmt.Sprintf("%s remote %s: %s: %s", e.Action, ShownRemote(e.Remote), cmp.Or(essence(e.Detail), e.Detail), remedy)
}

// denials are what git says when the remote knows us and does not let us, or does not
// even say that it is there.
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

// ShownRemote returns the name of a remote as it may be shown: a URL without its user
// and password.
func ShownRemote(name string) string { return credentials.ReplaceAllString(name, "$1") }

// platitudes are what git says after every failure of a remote.
var platitudes = []string{
	"Could not read from remote repository.", "Please make sure you have the correct access rights", "and the repository exists.",
	"failed to push some refs to", "the remote end hung up unexpectedly",
}

// maxEssence bounds what is shown of git's words, in bytes; a hook may say anything.
const maxEssence = 500

// essence returns, on one line, the part of git's messages that says why; "" if there is
// none.
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
