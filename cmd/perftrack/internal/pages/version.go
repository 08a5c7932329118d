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

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/reports/kept"
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/runner/record"
)

// glance names what documents are made of as far as that can be asked for with every
// request: the state of the database, and what stands beside it. Another text means that it is
// time to look closely; it means nothing in another process.
func (s *Site) glance(ctx context.Context, state string) string {
	where, head, config := s.lines.Place(), "", ""
	if where.Repo != nil {
		if tip, err := where.Repo.Resolve(ctx, cmp.Or(s.opt.Branch, "HEAD")); err == nil { // else there is no commit yet
			head = tip.SHA
		}
	}
	if where.ConfigPath != "" {
		if info, err := os.Stat(where.ConfigPath); err == nil {
			config = fmt.Sprint(info.ModTime().UnixNano(), info.Size())
		}
	}
	return state + " " + head + " " + config + " " + s.profilesChanged(ctx)
}

// profilesChanged is when a profile was last kept, "" for never.
func (s *Site) profilesChanged(ctx context.Context) string {
	if dir, err := s.profileFolder(ctx); err == nil {
		if info, err := os.Stat(dir); err == nil { // else nothing was profiled
			return fmt.Sprint(info.ModTime().UnixNano())
		}
	}
	return ""
}

// A version is all that documents are made of, but for the samples: these are those of the runs,
// whose ids are the hashes of all that was measured.
type version struct {
	Program      string
	Meta         site.Meta // but for when it was made
	Judged       [2]float64
	Config       string // the text of perftrack.toml
	Runs         []string
	Commits      []site.Commit
	Places       [][2]int // of the commits in the history and along the branch, -1 where they are not
	Accepted     []record.Acceptance
	AcceptedAt   [][2]int
	Environments []site.Environment
	Profiles     string
}

// version names the site: it is another one whenever a document may be, and the same in
// another process that would make the same documents.
func (s *Site) version(ctx context.Context) (string, error) {
	v := version{
		Program: kept.Program(), Meta: s.meta, Judged: [2]float64{s.session.Threshold, s.session.Alpha}, Commits: s.commits,
		Accepted: s.lines.Intended(), Environments: s.environments, Profiles: s.profilesChanged(ctx),
	}
	v.Meta.Generated = 0
	if path := s.lines.Place().ConfigPath; path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", fault.IO(err)
		}
		v.Config = string(text)
	}
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

// origin names what an older version of the site has in common with this one: the database, by
// its place and its first run, and the program. It is "" where nothing is stored.
func (s *Site) origin(database string) (string, error) {
	if len(s.runs) == 0 {
		return "", nil
	}
	first := slices.MinFunc(s.runs, func(x, y record.RunInfo) int { return cmp.Compare(x.Seq, y.Seq) })
	return hashOf([]string{kept.Program(), database, first.ID, s.opt.Branch, s.opt.Title})
}

func hashOf(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("name the version of the page: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
