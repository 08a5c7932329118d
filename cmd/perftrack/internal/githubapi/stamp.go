package githubapi

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// A Stamp is the machine-readable part of a commit status. It is stored as the fragment of the link
// in the status. Later jobs for the same head read the stamp, never the description.
type Stamp struct {
	Asked   bool     // a user has requested the measurement, and it has no result yet
	Against []string // short hashes of the bases compared with the head; empty if the status is not a verdict
	Worse   bool     // the verdict is a failure because of a regression or a missed limit
	Pull    int      // the pull request named at the beginning of the description, or 0
}

// The key of a stamp in a fragment, and the version of the stamp's format.
const (
	stampKey     = "perftrack"
	stampVersion = "1"
)

// AddTo returns link with the stamp as its fragment. It returns link unchanged if the stamp or the
// link is empty.
func (s Stamp) AddTo(link string) string {
	v := url.Values{}
	if s.Asked {
		v.Set("asked", "1")
	}
	for _, base := range s.Against {
		v.Add("against", record.ShortHash(base))
	}
	if s.Worse {
		v.Set("worse", "1")
	}
	if s.Pull != 0 {
		v.Set("pull", strconv.Itoa(s.Pull))
	}
	if link == "" || len(v) == 0 {
		return link
	}
	v.Set(stampKey, stampVersion)
	return link + "#" + v.Encode()
}

// cutStamp splits a link into its address and its stamp. Any other fragment stays in the address.
func cutStamp(link string) (string, Stamp) {
	address, fragment, _ := strings.Cut(link, "#")
	v, err := url.ParseQuery(fragment)
	if err != nil || v.Get(stampKey) != stampVersion {
		return link, Stamp{}
	}
	s := Stamp{Asked: v.Has("asked"), Worse: v.Has("worse"), Against: v["against"]}
	s.Pull, _ = strconv.Atoi(v.Get("pull"))
	return address, s
}
