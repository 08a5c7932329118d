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
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// errSame stops a measurement before it begins, because a run of the same machine code is already
// stored.
var errSame = errors.New("another commit has the same machine code")

// A visit is the measurement of one target at one commit.
type visit struct {
	*backfill
	commit   gitrepo.Commit
	position int
	target   config.Target
	carried  *source // the run that also counts for this commit, or nil
	env      record.Settings
	code     string
	failures []runner.Failure
}

// measureAt measures a target at a commit, unless this is unnecessary or impossible. It returns
// only errors that would also occur at the next commit.
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
			step.Detail = "interrupted: stored as partial"
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

// measuredInOwnEnvironment reports whether the commit has been measured with the Go version in its
// own go.mod.
func (v *visit) measuredInOwnEnvironment(ctx context.Context) (same bool, err error) {
	spec := measure.Spec{Session: v.session, Where: v.where, Target: v.target, Sources: measure.Sources{Rev: v.commit.SHA}}
	err = spec.Checkout(ctx, func(sides []measure.Side) error {
		env, err := program.Environment(ctx, v.target, sides[0].Source.Dir, v.where.CPUs)
		same = err == nil && v.known[v.target.Name].in(v.commit.SHA, env)
		return nil // measuring will report the error
	})
	if isBuild(err) && ctx.Err() == nil {
		return false, nil
	}
	return same, err
}

func (v *visit) spec() measure.Spec {
	b, t := v.backfill, v.target
	if b.ways[t.Name] == nil {
		b.ways[t.Name] = map[program.Slot]slicing.Method{}
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
	r.Protocol.Procedure = anchors.Procedure
	r.Protocol.Selection = v.opt.Flags.Selection(v.target)
}

// measure measures the commit, unless the same machine code has already been measured.
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

// distance returns the distance on the line between commit and the one being measured.
func (v *visit) distance(commit string) int {
	i := slices.IndexFunc(v.line.commits, func(c gitrepo.Commit) bool { return c.SHA == commit })
	if i < 0 {
		return far
	}
	return max(i-v.position, v.position-i)
}

// carryOver records that the run of another commit also counts for this one.
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

// note adds the stored runs to the known results and sets the outcome of step.
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
	step.State, step.Detail = PassedOver, "no benchmark could be measured"
	return nil
}

// failedText describes the first failure of a run and the number of other failures.
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

// blame returns the outcome and the reason for it if the commit is to blame for err, and an error
// otherwise.
func (v *visit) blame(err error) (State, string, error) {
	if !isBuild(err) && !workspace.IsNothingToMeasure(err) {
		return NotReached, "", err
	}
	if v.ofAnchor(err) {
		return NotReached, "", v.blameAnchor(err, workspace.IsNothingToMeasure(err))
	}
	if side := new(runner.SideError); errors.As(err, &side) {
		err = side.Err
	}
	return PassedOver, fault.FirstLine(brief(err)), nil
}

// blameAnchor returns the error for an anchor that cannot be measured. lacks reports whether it has
// none of the benchmarks.
func (b *backfill) blameAnchor(err error, lacks bool) error {
	name := "the anchor " + b.anchorText()
	if b.opt.Anchor == "" {
		name += ", the start of the range,"
	}
	remedy := "name another commit with --anchor, such as the newest: --anchor " + record.ShortHash(b.line.to.SHA)
	if lacks && b.opt.Flags.Bench != "" {
		remedy = "name benchmarks it has with --bench, or " + remedy
	}
	return fault.Build(fmt.Errorf("%s cannot be measured: %s: %w", name, remedy, err))
}

// ofAnchor reports whether the anchor caused the error, in which case every commit would fail in
// the same way.
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

// brief shortens an error to the first line of the compiler's output, if it has any.
func brief(err error) error {
	if failed := new(build.Error); errors.As(err, &failed) {
		if failed.Output == "" {
			return failed.Err
		}
		return errors.New("it does not build: " + program.Unbuilt{Err: failed}.Reason())
	}
	return err
}

// keepFolder creates the folder for the anchor's binaries. The folder is removed even if perftrack
// is killed.
func (b *backfill) keepFolder() (remove func() error, err error) {
	temp, err := filepath.Abs(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("find the temporary directory: %w", err)
	}
	var random [8]byte
	_, _ = rand.Read(random[:])
	b.keep = filepath.Join(temp, "perftrack-anchor-"+hex.EncodeToString(random[:]))
	guard, err := proc.OnDeath([]string{b.keep}) // start the guard before the folder exists
	if err != nil {
		return nil, err
	}
	remove = func() error { return errors.Join(proc.RemoveAll(b.keep), guard.Release()) }
	if err := os.Mkdir(b.keep, 0o700); err != nil {
		return nil, errors.Join(fmt.Errorf("create folder for the anchor's binaries: %w", err), remove())
	}
	return remove, nil
}

// anchorName returns the anchor's name as given on the command line.
func (b *backfill) anchorName() string { return cmp.Or(b.opt.Anchor, b.line.first) }
