package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A selection is the runs that one word of the user means.
type selection struct {
	word   string
	trial  string           // the word is a trial: runs of both sides
	commit string           // the word is a commit: its runs are still to be chosen
	runs   []*record.Run    // the word is a run id or a file
	infos  []record.RunInfo // of the commit, newest first
}

// Compare compares what the words mean; see `perftrack compare --help`.
func Compare(ctx context.Context, a *App, words []string) (c *compare.Comparison, err error) {
	where, err := a.place(ctx)
	if err != nil {
		return nil, err
	}
	words = splitRange(words)
	r := &resolver{session: a, where: where}
	defer func() { err = errors.Join(err, r.close()) }()
	base, head, err := r.sides(ctx, words)
	if err != nil {
		return nil, err
	}
	options, err := r.judgement(ctx, base, head)
	if err != nil {
		return nil, err
	}
	options.Each = func(base, head compare.Side) compare.Options {
		own, err2 := r.judgement(ctx, base, head)
		err = errors.Join(err, err2)
		return own
	}
	c = compare.Compare(base, head, options)
	if err != nil || r.db == nil {
		return c, err
	}
	accepted, err := acceptedOf(ctx, a, r.db, where, c)
	accepted.Explain(c)
	return c, err
}

// judgement is by what two sides are judged: what was stored with their trial, else what
// the configuration says.
func (r *resolver) judgement(ctx context.Context, base, head compare.Side) (compare.Options, error) {
	options, stored := judgedBy(base, head)
	if stored {
		return options, nil
	}
	options = optionsAt(r.where)
	if r.db == nil {
		return options, nil
	}
	noise := newNoiseFloors(ctx, r.db) // a trial of before terms were stored
	if err := noise.learn(slices.DeleteFunc(slices.Clone(head.Runs), func(run *record.Run) bool {
		return run.Facts.Get(record.KeyProcedure) != compare.ProcedureCheck
	})); err != nil {
		return options, err
	}
	options.Noise = noise.floor
	return options, nil
}

// CompareTrial compares the runs of one trial, which was just measured.
func CompareTrial(ctx context.Context, a *App, runs []*record.Run) (*compare.Comparison, error) {
	where, err := a.place(ctx)
	if err != nil {
		return nil, err
	}
	base, head := trialSides(runs)
	c := compare.Compare(base, head, optionsAt(where))
	accepted, err := acceptedHere(ctx, a, where, c)
	accepted.Explain(c)
	return c, err
}

// options are the error rate and the thresholds of perftrack.toml.
func optionsAt(p place) compare.Options {
	return compare.Options{Alpha: p.config.Defaults.Alpha, Threshold: p.config.Threshold}
}

// splitRange turns BASE..HEAD into two words, unless a file has that name.
func splitRange(words []string) []string {
	if len(words) != 1 || isFile(words[0]) {
		return words
	}
	base, head, ok := strings.Cut(words[0], "..")
	if !ok || base == "" || strings.HasPrefix(head, ".") {
		return words
	}
	if head == "" {
		return []string{base}
	}
	return []string{base, head}
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

func trialSides(runs []*record.Run) (base, head compare.Side) {
	for _, r := range runs {
		if r.Side == record.Base {
			base.Runs = append(base.Runs, r)
		} else {
			head.Runs = append(head.Runs, r)
		}
	}
	return base, head
}

// A resolver finds runs; it opens the database only when a word needs it.
type resolver struct {
	session *App
	where   place
	db      *store.DB
}

func (r *resolver) open(ctx context.Context) (err error) {
	if r.db == nil {
		r.db, err = r.session.OpenForReading(ctx)
	}
	return err
}

func (r *resolver) close() error {
	if r.db == nil {
		return nil
	}
	return r.db.Close()
}

func (r *resolver) sides(ctx context.Context, words []string) (base, head compare.Side, err error) {
	if len(words) == 0 {
		if words, err = r.newest(ctx); err != nil {
			return base, head, err
		}
		if len(words) == 1 { // the newest trial, which must not hide another of its commits
			ids, err := r.besides(ctx, words[0])
			if err != nil {
				return base, head, err
			}
			return r.trials(ctx, ids)
		}
	}
	b, err := r.find(ctx, words[0])
	if err != nil {
		return base, head, err
	}
	if b.trial != "" {
		if len(words) > 1 {
			return base, head, usagef("%s is a trial and stands for both sides: leave out %s", words[0], words[1])
		}
		return r.trial(ctx, b.trial)
	}
	if len(words) == 1 {
		words = append(words, "HEAD")
		if r.where.repo == nil {
			return base, head, usagef("%s with what? Outside a git repository name both sides", words[0])
		}
	}
	h, err := r.find(ctx, words[1])
	if err != nil {
		return base, head, err
	}
	if h.trial != "" {
		return base, head, usagef("%s is a trial and stands for both sides: leave out %s", words[1], words[0])
	}
	return r.pair(ctx, b, h)
}

// newest returns the words for the newest trial, unless a run was measured
// alone, or beside an anchor, since; then those of the two newest commits that
// have runs.
func (r *resolver) newest(ctx context.Context) ([]string, error) {
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	infos, err := r.db.Runs(ctx, store.Filter{Newest: true})
	if err != nil {
		return nil, err
	}
	var words []string
	for _, info := range infos {
		if info.Facts.Get(record.KeyProcedure) == compare.ProcedureCalibrate {
			continue // one source against itself: nothing that anybody asks about
		}
		if compare.IsAnchor(&info.Run) || strings.HasPrefix(info.Trial, bisectTrial) {
			continue
		}
		alone := info.Trial == "" || info.Facts.Get(record.KeyProcedure) == compare.ProcedureAnchor
		if !alone && len(words) == 0 {
			return []string{info.Trial}, nil
		}
		if info.Baseline() && info.Commit.SHA != "" && !slices.Contains(words, info.Commit.SHA) {
			if words = append(words, info.Commit.SHA); len(words) == 2 {
				slices.Reverse(words)
				return words, nil
			}
		}
	}
	return nil, dataError(errors.New("nothing to compare: no trial and not two commits with complete runs; " +
		"measure with `perftrack run --against REV`"))
}

var runID = regexp.MustCompile(`^[0-9a-f]{4,64}$`)

// find says what one word means: a file, a trial, a run or a commit.
func (r *resolver) find(ctx context.Context, word string) (selection, error) {
	s := selection{word: word}
	if word == "" {
		return s, usagef("one of the names is empty: is a variable not set?")
	}
	if word == "-" || isFile(word) {
		runs, err := readFile(r.session, word)
		s.runs = runs
		return s, err
	}
	if err := r.open(ctx); err != nil {
		return s, fmt.Errorf("%s is not a file here, and: %w", word, err)
	}
	infos, err := r.db.Runs(ctx, store.Filter{Trial: word})
	if err != nil {
		return s, err
	}
	if len(infos) > 0 {
		s.trial = word
		return s, nil
	}
	if runID.MatchString(word) {
		run, err := r.db.Get(ctx, word)
		if err == nil {
			s.runs = []*record.Run{run}
			return s, nil
		}
		if !errors.Is(err, store.ErrNotFound) {
			return s, dataError(err)
		}
	}
	return r.findCommit(ctx, s)
}

func (r *resolver) findCommit(ctx context.Context, s selection) (selection, error) {
	var missing error
	if r.where.repo != nil {
		c, err := r.where.repo.Resolve(ctx, s.word)
		var unknown *gitrepo.MissingError
		switch {
		case err == nil:
			s.commit = c.SHA
		case errors.As(err, &unknown):
			missing = err
		default:
			return s, &Error{Kind: "git", Err: err}
		}
	}
	if s.commit == "" && runID.MatchString(s.word) {
		s.commit = s.word // a commit of another clone, whose runs were imported
	}
	if s.commit == "" {
		err := fmt.Errorf("%s is no file, run, trial or commit: see `perftrack list runs`", s.word)
		return s, dataError(errors.Join(err, missing))
	}
	infos, err := r.db.Runs(ctx, store.Filter{Commit: s.commit, Newest: true})
	if err == nil {
		s.infos, err = r.db.Sound(ctx, infos) // which of them to take, their headers say
	}
	if err != nil {
		return s, err
	}
	if len(s.infos) == 0 {
		name := s.word
		if s.commit != s.word {
			name += " (" + s.commit[:12] + ")"
		}
		if len(infos) > 0 {
			return s, dataError(fmt.Errorf("no run of %s is whole, %d are stored: measure it again with `perftrack run --rev %s`", name, len(infos), s.word))
		}
		return s, dataError(fmt.Errorf("no run of %s is stored: measure it with `perftrack run --rev %s`", name, s.word))
	}
	return s, nil
}
