package backfill

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// errSame ends a measurement before it began: a run with the same machine code is stored.
var errSame = errors.New("the machine code is that of another commit")

// A visit is one target at one commit while it is measured.
type visit struct {
	*backfill
	commit   gitrepo.Commit
	position int
	target   config.Target
	carried  *source // what counts for this commit, too
	env      record.Settings
	code     string
	failures []runner.Failure
}

// measureAt measures a target at a commit, or finds that it need not or cannot be measured. Its
// error is one that measuring the next commit would meet as well.
func (b *backfill) measureAt(ctx context.Context, c gitrepo.Commit, position int, t config.Target, step *Step) error {
	v := &visit{backfill: b, commit: c, position: position, target: t}
	began := b.session.Now()
	defer func() { step.Took = b.session.Now().Sub(began) }()
	if b.known[t.Name].elsewhere(c.SHA) {
		same, err := v.measuredInOwnEnvironment(ctx)
		if err != nil || same {
			step.State = Already
			return err
		}
	}
	stored, err := v.spec().Drive(ctx, func(m *measure.Measurement) error { return v.measure(ctx, m) })
	switch {
	case ctx.Err() != nil:
		if len(stored) > 0 {
			step.Detail = "interrupted: what was measured is stored as partial"
		}
		return cmp.Or(err, ctx.Err())
	case errors.Is(err, errSame):
		step.State, step.Detail = CarriedOver, record.ShortHash(v.carried.commit)
		return v.carryOver(ctx)
	case err != nil:
		step.State, step.Detail, err = v.blame(err)
		return err
	}
	return v.note(stored, step)
}

// measuredInOwnEnvironment reports whether a commit was measured with the version of Go that
// it asks for itself.
func (v *visit) measuredInOwnEnvironment(ctx context.Context) (same bool, err error) {
	spec := measure.Spec{Session: v.session, Where: v.where, Target: v.target, Sources: measure.Sources{Rev: v.commit.SHA}}
	err = spec.Checkout(ctx, func(sides []measure.Side) error {
		env, err := runner.Environment(ctx, v.target, sides[0].Source.Dir, v.where.CPUs)
		same = err == nil && v.known[v.target.Name].in(v.commit.SHA, env)
		return nil // whatever is wrong, measuring says it
	})
	if isBuild(err) && ctx.Err() == nil {
		return false, nil
	}
	return same, err
}

func (v *visit) spec() measure.Spec {
	b, t := v.backfill, v.target
	if b.ways[t.Name] == nil {
		b.ways[t.Name] = map[runner.Slot]slicing.Way{}
	}
	keep := func(sha string) string {
		if sha != b.anchor.SHA {
			return ""
		}
		return filepath.Join(b.keep, hex.EncodeToString([]byte(t.Name)))
	}
	plan := b.opt.Flags.Plan(t, runner.DefaultRounds, runner.TrialBenchtime)
	plan.Chosen = b.ways[t.Name]
	return measure.Spec{
		Session: b.session, Where: b.where, DB: b.db, Database: b.database, Target: t, Plan: plan,
		Sources: measure.Sources{Rev: v.commit.SHA, Beside: b.anchor.SHA, Keep: keep},
		Trial:   b.session.NewTrialID(), Facts: v.facts,
		Progress: b.progress,
	}
}

func (v *visit) facts(r *record.Run) {
	r.Facts = r.Facts.Set(record.KeyProcedure, compare.ProcedureAnchor)
	compare.SetSelection(r, v.opt.Flags.Selection(v.target))
}

// measure measures the commit, unless its machine code was measured.
func (v *visit) measure(ctx context.Context, m *measure.Measurement) error {
	defer func() { v.failures = m.Outcome().Failures }()
	v.env, v.code = m.Outcome().Environments[1], m.Code(1)
	v.carried = v.known[v.target.Name].withCode(v.code, v.env, v.distance)
	if v.carried != nil {
		return errSame
	}
	if v.code != "" {
		m.Note(func(r *record.Run) {
			if r.Side == record.Head {
				r.Facts = r.Facts.Set(record.KeyCode, v.code)
			}
		})
	}
	if err := m.TakeTurn(ctx, v.turn); err != nil {
		return err
	}
	return m.All(ctx, runner.Schedule{Choosing: v.choosing})
}

// distance is how far a commit lies from this one on the line.
func (v *visit) distance(commit string) int {
	i := slices.IndexFunc(v.line.commits, func(c gitrepo.Commit) bool { return c.SHA == commit })
	if i < 0 {
		return far
	}
	return max(i-v.position, v.position-i)
}

// carryOver stores that the run of another commit counts for this one.
func (v *visit) carryOver(ctx context.Context) error {
	now := v.session.Now()
	r := &record.Run{
		Target: v.target.Name, Commit: measure.CommitOf(v.commit), Start: now, End: now, Tool: v.session.Version,
		Status: record.Complete, Trial: v.session.NewTrialID(), Side: record.Head,
	}
	v.facts(r)
	for _, s := range v.env {
		r.Set(s.Key, s.Value)
	}
	r.Facts = r.Facts.Set(record.KeyCarried, v.carried.id)
	if _, _, err := v.db.Put(ctx, r); err != nil {
		return fault.IO(err)
	}
	k := v.known[v.target.Name]
	k.sources = append(k.sources, source{id: v.carried.id, commit: v.commit.SHA, env: v.env})
	return nil
}

// note notes what was stored.
func (v *visit) note(stored []measure.StoredRun, step *Step) error {
	for _, r := range stored {
		if r.Side != record.Head {
			continue
		}
		if r.Status != record.Complete {
			step.State, step.Detail = Failed, failedText(r.Run)
			return nil
		}
		k := v.known[v.target.Name]
		k.sources = append(k.sources, source{id: r.ID, commit: r.Commit.SHA, code: v.code, env: r.Env})
		step.State = Measured
		return nil
	}
	step.State, step.Detail = PassedOver, "it has no benchmark that could be measured"
	return nil
}

// failedText says what failed of a run.
func failedText(r *record.Run) string {
	if len(r.Failures) == 0 {
		return string(r.Status)
	}
	f := r.Failures[0]
	text := fmt.Sprintf("%s: %s", f.Benchmark, f.Reason)
	if n := len(r.Failures) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// blame says why the commit is passed over, or returns the error where the commit is not to
// blame.
func (v *visit) blame(err error) (State, string, error) {
	if !isBuild(err) && !workspace.IsNothingToMeasure(err) {
		return NotReached, "", err
	}
	if v.ofAnchor(err) {
		name := "the anchor " + v.anchorText()
		if v.opt.Anchor == "" {
			name += ", the beginning of the range,"
		}
		remedy := "name another commit with --anchor, such as the newest, --anchor " + record.ShortHash(v.line.to.SHA)
		if workspace.IsNothingToMeasure(err) && v.opt.Flags.Bench != "" {
			remedy = "name benchmarks that it has with --bench, or " + remedy
		}
		return NotReached, "", fault.Build(fmt.Errorf("%s cannot be measured: %s: %w", name, remedy, err))
	}
	if side := new(runner.SideError); errors.As(err, &side) {
		err = side.Err
	}
	return PassedOver, fault.FirstLine(brief(err)), nil
}

// ofAnchor reports whether an error is the anchor's, at which all commits would fail.
func (v *visit) ofAnchor(err error) bool {
	if v.commit.SHA == v.anchor.SHA {
		return true
	}
	if elsewhere := new(measure.NoDirectoryError); errors.As(err, &elsewhere) {
		return elsewhere.Commit == v.anchor.SHA
	}
	if side := new(runner.SideError); errors.As(err, &side) {
		return side.Side == string(record.Base)
	}
	return len(v.failures) > 0 && !slices.ContainsFunc(v.failures, func(f runner.Failure) bool { return f.Side == 1 })
}

func isBuild(err error) bool {
	class := new(fault.Error)
	return errors.As(err, &class) && class.Kind == "build"
}

// brief is what a compiler says first, or else the error.
func brief(err error) error {
	if failed := new(build.Error); errors.As(err, &failed) {
		if failed.Output == "" {
			return failed.Err
		}
		return errors.New("it does not build: " + runner.Unbuilt{Err: failed}.Reason())
	}
	return err
}

// keepFolder makes the folder in which the binaries of the anchor are kept from one commit to
// the next. It goes however perftrack ends.
func (b *backfill) keepFolder() (remove func() error, err error) {
	temp, err := filepath.Abs(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("find the temporary directory: %w", err)
	}
	var random [8]byte
	_, _ = rand.Read(random[:])
	b.keep = filepath.Join(temp, "perftrack-anchor-"+hex.EncodeToString(random[:]))
	guard, err := proc.OnDeath([]string{b.keep}) // before there is a folder
	if err != nil {
		return nil, err
	}
	remove = func() error { return errors.Join(proc.RemoveAll(b.keep), guard.Release()) }
	if err := os.Mkdir(b.keep, 0o700); err != nil {
		return nil, errors.Join(fmt.Errorf("create folder for the anchor's binaries: %w", err), remove())
	}
	return remove, nil
}

// anchorName is the anchor in the words of the command line.
func (b *backfill) anchorName() string { return cmp.Or(b.opt.Anchor, b.line.first) }
