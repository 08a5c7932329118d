package pages

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/perftrack/perftrack/reports/environments"
	"github.com/perftrack/perftrack/reports/filecache"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/record"
)

// glance returns a string cheap enough to compute on every check. If the database, the branch, the
// configuration or the stored profiles have changed, or the database got a fleet, so has the string,
// and the version has to be computed again. The string is meaningless to other processes.
func (s *Site) glance(ctx context.Context, state string) string {
	where, head, config := s.lines.Place(), "", ""
	if where.Repo != nil {
		if tip, err := where.Repo.Resolve(ctx, cmp.Or(s.opt.Branch, "HEAD")); err == nil { // fails if there is no commit yet
			head = tip.SHA
		}
	}
	if where.ConfigPath != "" {
		if info, err := os.Stat(where.ConfigPath); err == nil {
			config = fmt.Sprint(info.ModTime().UnixNano(), info.Size())
		}
	}
	fleet, _ := s.db.HasQueue(ctx) // a fault shows where the queue is read
	return fmt.Sprintf("%s %s %s %s %t", state, head, config, s.profilesChanged(ctx), fleet)
}

// profilesChanged returns the time of the last stored profile, or "" before the first.
func (s *Site) profilesChanged(ctx context.Context) string {
	if dir, err := s.profileFolder(ctx); err == nil {
		if info, err := os.Stat(dir); err == nil { // fails if there are no profiles
			return fmt.Sprint(info.ModTime().UnixNano())
		}
	}
	return ""
}

// A version holds the inputs of the documents. For runs, their ids are enough, because an id is a
// hash of the run's content.
type version struct {
	Program      string
	Meta         documents.Meta // without the time at which the page was made
	Judged       [2]float64
	Config       string // text of perftrack.toml
	Runs         []string
	Commits      []documents.Commit
	Places       [][2]int // positions of the commits in the history and along the branch; -1 if a commit is not there
	Accepted     []record.Acceptance
	AcceptedAt   [][2]int
	Environments []environments.Environment
	Profiles     string
}

// version returns a hash of the state of the site. It differs whenever a document may differ, and
// is the same in other processes with the same documents.
func (s *Site) version(ctx context.Context) (string, error) {
	v := version{
		Program: filecache.Program(), Meta: s.meta, Judged: [2]float64{s.session.Threshold, s.session.Alpha}, Commits: s.commits,
		Config: s.lines.Config(), Accepted: s.lines.Intended(), Environments: s.environments, Profiles: s.profilesChanged(ctx),
	}
	v.Meta.Generated = 0
	runs := slices.SortedFunc(slices.Values(s.runs), func(x, y record.RunInfo) int { return cmp.Compare(x.Seq, y.Seq) })
	for _, r := range runs {
		v.Runs = append(v.Runs, r.ID)
	}
	for _, c := range s.commits {
		v.Places = append(v.Places, s.places(c.SHA))
	}
	for _, a := range v.Accepted {
		v.AcceptedAt = append(v.AcceptedAt, s.places(a.Commit))
	}
	return hashOf(v)
}

func (s *Site) places(sha string) [2]int {
	at := [2]int{-1, -1}
	if i, ok := s.lines.Position(sha); ok {
		at[0] = i
	}
	if i, ok := s.lines.Along(sha); ok {
		at[1] = i
	}
	return at
}

// origin returns a hash shared by all versions of the site. It depends on the path of the database,
// the first run stored in it, the program and the options. origin returns "" if the store is empty.
func (s *Site) origin(database string) (string, error) {
	if len(s.runs) == 0 {
		return "", nil
	}
	first := slices.MinFunc(s.runs, func(x, y record.RunInfo) int { return cmp.Compare(x.Seq, y.Seq) })
	return hashOf([]string{filecache.Program(), database, first.ID, s.opt.Branch, s.opt.Title})
}

func hashOf(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("name the version of the page: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
