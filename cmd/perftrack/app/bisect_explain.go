package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/config"
)

// explanationFile has, as JSON, what the culprit of the finished search changed.
const explanationFile = "explanation.json"

// ExplainCulprit says what the culprit of the search that is stored changed against
// the commit before it: from what is kept of an earlier call, or by profiling both.
// It is nil before the search is over, and where a notice says why there is none.
func ExplainCulprit(ctx context.Context, a *App) (out *reports.Explained, err error) {
	b, closeAll, err := openBisection(ctx, a, BisectOptions{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	s := &auto{bisection: b}
	if err := s.open(ctx, ""); err != nil || !s.finished {
		return nil, err
	}
	res, err := s.result(ctx)
	if err != nil || len(res.Suspects) == 0 {
		return nil, err
	}
	culprit := res.Suspects[0]
	if e := s.keptExplanation(culprit); e != nil {
		return e, nil
	}
	if out, err = s.explainCulprit(ctx, res); err == nil {
		return out, s.keepExplanation(out)
	}
	if ctx.Err() != nil {
		return nil, err
	}
	again := fmt.Sprintf("perftrack explain %.12s %.12s --bench '%s'", culprit.Before.SHA, culprit.SHA, s.subject.Bench)
	if s.target.Kind != config.GoTest {
		again = fmt.Sprintf("perftrack explain %.12s %.12s --target %s", culprit.Before.SHA, culprit.SHA, s.target.Name)
	}
	s.session.notice("what the culprit changed is not explained: %v; to try again: %s", err, again)
	return nil, nil
}

func (s *auto) explainCulprit(ctx context.Context, res *BisectResult) (*reports.Explained, error) {
	opt := ExplainOptions{Target: s.subject.Target, Bench: s.subject.Bench, Package: s.subject.Package, Timeout: s.opt.Timeout}
	if u := s.subject.Unit; u != "ns/op" && u != "sec/op" && !slices.Contains(higherIsBetter, u) {
		opt.Unit = u
	}
	culprit := res.Suspects[0]
	e := &explaining{session: s.session, where: s.where, opt: opt, target: s.target, db: s.db, database: s.database}
	if err := e.resolve(ctx, culprit.Before.SHA, culprit.SHA); err != nil {
		return nil, err
	}
	s.session.notice("explaining %.12s against %.12s", culprit.SHA, culprit.Before.SHA)
	out, err := e.explain(ctx, nil)
	if err == nil && out.Time != nil && res.Confirmed != nil && s.subject.Unit == "ns/op" {
		// The pairs of a bisection are decided by its own rule, not as a trial.
		out.Time.Decision = res.Confirmed.Decision
	}
	return out, err
}

// keepExplanation stores an explanation for the next call.
func (s *auto) keepExplanation(e *reports.Explained) error {
	var text bytes.Buffer
	if err := reports.JSON(&text, reports.Explanation(e)); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.dir, explanationFile), text.Bytes(), 0o644); err != nil {
		return &Error{Kind: "io", Err: fmt.Errorf("keep explanation: %w", err)}
	}
	return nil
}

// keptExplanation returns the explanation of these two commits, nil if there is none
// that can be read. Profiles that were removed since are left out.
func (s *auto) keptExplanation(culprit BisectSuspect) *reports.Explained {
	text, err := os.ReadFile(filepath.Join(s.dir, explanationFile))
	if err != nil {
		return nil
	}
	e, err := reports.ReadExplanation(text)
	if err != nil || e.Base.SHA != culprit.Before.SHA || e.Head.SHA != culprit.SHA {
		return nil
	}
	e.Profiles = slices.DeleteFunc(e.Profiles, func(p reports.ExplainedProfile) bool {
		_, err := os.Stat(p.Path)
		return errors.Is(err, fs.ErrNotExist)
	})
	return e
}
