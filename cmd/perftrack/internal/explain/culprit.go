package explain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/bisect"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	explanationreport "github.com/perftrack/perftrack/reports/explanation"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// Culprit explains how the culprit found by the stored search differs from the commit before it. It
// uses a stored explanation if there is one, and otherwise profiles both commits. It returns nil if
// the search has not finished or has no result. If the culprit cannot be explained, Culprit returns
// nil and prints a notice with the reason.
func Culprit(ctx context.Context, a *workspace.Session) (out *explanationreport.Explanation, err error) {
	s, closeAll, err := bisect.OpenSearch(ctx, a)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	if !s.Finished {
		return nil, nil
	}
	res, err := s.Result(ctx)
	if err != nil || len(res.Suspects) == 0 {
		return nil, err
	}
	culprit := res.Suspects[0]
	if e := storedExplanation(s, culprit); e != nil {
		return e, nil
	}
	if out, err = explainCulprit(ctx, s, res); err == nil {
		return out, storeExplanation(s, out)
	}
	if ctx.Err() != nil {
		return nil, err
	}
	again := fmt.Sprintf("perftrack explain %s %s --bench '%s'", record.ShortHash(culprit.Before.SHA), record.ShortHash(culprit.SHA), s.Subject.Bench)
	if s.Target.Kind != config.GoTest {
		again = fmt.Sprintf("perftrack explain %s %s --target %s", record.ShortHash(culprit.Before.SHA), record.ShortHash(culprit.SHA), s.Target.Name)
	}
	if s.Opt.Flags.Isolate {
		again += " --isolate"
	}
	s.Session.Noticef("cannot explain the culprit: %v; to try again: %s", err, again)
	return nil, nil
}

func explainCulprit(ctx context.Context, s *bisect.Search, res *bisect.Result) (*explanationreport.Explanation, error) {
	opt := Options{Target: s.Subject.Target, Package: s.Subject.Package, Flags: s.Opt.Flags}
	// An explanation has its own benchtime and number of rounds.
	opt.Flags.Bench, opt.Flags.Suite, opt.Flags.Benchtime, opt.Flags.Rounds = s.Subject.Bench, "", "", 0
	if u := s.Subject.Unit; u != "ns/op" && u != "sec/op" && !slices.Contains(bisect.HigherIsBetter, u) {
		opt.Unit = u
	}
	culprit := res.Suspects[0]
	e := &explanation{session: s.Session, where: s.Where, opt: opt, target: s.Target, db: s.DB, database: s.Database}
	if err := e.resolve(ctx, culprit.Before.SHA, culprit.SHA); err != nil {
		return nil, err
	}
	s.Session.Noticef("explaining %s against %s", record.ShortHash(culprit.SHA), record.ShortHash(culprit.Before.SHA))
	out, err := e.explain(ctx, nil)
	if err == nil && out.Time != nil && res.Confirmed != nil && s.Subject.Unit == "ns/op" {
		// A bisection judges its pairs by its own rule, not by the rule for trials.
		out.Time.Decision = *res.Confirmed
	}
	return out, err
}

// storeExplanation stores an explanation for the next call of Culprit.
func storeExplanation(s *bisect.Search, e *explanationreport.Explanation) error {
	var text bytes.Buffer
	if err := reports.JSON(&text, explanationreport.Report(e)); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.Dir, bisect.ExplanationFile), text.Bytes(), 0o644); err != nil {
		return fault.IO(fmt.Errorf("store explanation: %w", err))
	}
	return nil
}

// storedExplanation returns the stored explanation of the difference between culprit and the commit
// before it, or nil if it is missing or unreadable. It leaves out profiles removed in the meantime.
func storedExplanation(s *bisect.Search, culprit bisect.Suspect) *explanationreport.Explanation {
	text, err := os.ReadFile(filepath.Join(s.Dir, bisect.ExplanationFile))
	if err != nil {
		return nil
	}
	e, err := explanationreport.Read(text)
	if err != nil || e.Base.SHA != culprit.Before.SHA || e.Head.SHA != culprit.SHA {
		return nil
	}
	e.Profiles = slices.DeleteFunc(e.Profiles, func(p explanationreport.ProfileFile) bool {
		_, err := os.Stat(p.Path)
		return errors.Is(err, fs.ErrNotExist)
	})
	return e
}
