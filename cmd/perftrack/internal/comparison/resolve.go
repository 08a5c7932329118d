package comparison

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/imports"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A Selection is the runs that one word of the user means.
type Selection struct {
	word   string
	Trial  string                   // the word is a trial: runs of both sides
	Commit string                   // the word is a commit: its runs are still to be chosen
	Runs   []*record.Run            // the word is a run id or a file
	infos  []record.RunInfo         // of the commit, newest first
	suites map[string][]store.Suite // of these runs, by their ids
}

// Compare compares what the words mean; see `perftrack compare --help`.
func Compare(ctx context.Context, a *workspace.Session, words []string) (c *compare.Comparison, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	r := &Resolver{Session: a, Where: where}
	defer func() { err = errors.Join(err, r.Close()) }()
	return r.Compare(ctx, SplitRange(words))
}

// Compare compares what the words mean, see [Resolver.Sides], with the options by which each
// trial is judged, and the acceptances that count.
func (r *Resolver) Compare(ctx context.Context, words []string) (c *compare.Comparison, err error) {
	base, head, err := r.Sides(ctx, words)
	if err != nil {
		return nil, err
	}
	if c, err = r.judge(ctx, base, head); err == nil && len(words) == 0 {
		err = r.noteSearch(ctx, c)
	}
	return c, err
}

// noteSearch says that a bisection was measured after what is called the newest: it stops by
// a rule of its own, and is compared only by its commits.
func (r *Resolver) noteSearch(ctx context.Context, c *compare.Comparison) error {
	infos, err := r.DB.Runs(ctx, store.Filter{})
	if err != nil {
		return err
	}
	searches := Searches(infos)
	if len(searches) == 0 || slices.ContainsFunc(c.Head.Runs, func(run *record.Run) bool { return !run.Start.Before(searches[0].Time) }) {
		return nil
	}
	c.Caveats = append(c.Caveats, compare.Caveat{
		Code: compare.CodeSearches, Text: "a bisection was measured since, and is no part of this; its last step",
		Detail: fmt.Sprintf("perftrack compare %s %s", record.ShortHash(searches[0].Base.SHA), record.ShortHash(searches[0].Head.SHA)),
	})
	return nil
}

func (r *Resolver) judge(ctx context.Context, base, head compare.Side) (c *compare.Comparison, err error) {
	options, err := r.options(ctx, base, head)
	if err != nil {
		return nil, err
	}
	options.Each = func(base, head compare.Side) compare.Options {
		own, err2 := r.options(ctx, base, head)
		err = errors.Join(err, err2)
		return own
	}
	c = compare.Compare(base, head, options)
	noteOverruled(r.Session, c, base, head)
	if err != nil || r.DB == nil {
		return c, err
	}
	accepted, err := acceptancesFor(ctx, r.Session, r.DB, r.Where, c)
	accepted.Explain(c)
	return c, err
}

// options returns the options by which two sides are judged: those stored with their trial,
// else those of the configuration.
func (r *Resolver) options(ctx context.Context, base, head compare.Side) (options compare.Options, err error) {
	peers, err := r.peers(ctx, base, head)
	if err != nil {
		return options, err
	}
	defer func() { options.Peers = peers }()
	options, stored := StoredOptions(base, head)
	if stored {
		return Overrule(r.Session, options), nil
	}
	options = Overrule(r.Session, ConfiguredOptions(r.Where))
	if r.DB == nil {
		return options, nil
	}
	noise := NewNoises(ctx, r.DB) // a trial of before terms were stored: no ranks were capped
	if err := noise.Learn(slices.DeleteFunc(slices.Clone(head.Runs), func(run *record.Run) bool {
		return run.Facts.Get(record.KeyProcedure) != compare.ProcedureCheck
	})); err != nil {
		return options, err
	}
	options.Noise = noise.Floor
	return options, nil
}

// peers returns the stored runs of the same trial that are of other targets than those that are
// compared: they share the error rate, whether they are looked at or not.
func (r *Resolver) peers(ctx context.Context, base, head compare.Side) ([]*record.Run, error) {
	runs := slices.Concat(base.Runs, head.Runs)
	if r.DB == nil || len(runs) == 0 || runs[0].Trial == "" {
		return nil, nil
	}
	infos, err := r.DB.Runs(ctx, store.Filter{Trial: runs[0].Trial})
	if err != nil {
		return nil, err
	}
	return r.readRuns(ctx, slices.DeleteFunc(infos, func(info record.RunInfo) bool {
		return slices.ContainsFunc(runs, func(run *record.Run) bool { return run.Target == info.Target })
	}))
}

// CompareTrial compares the runs of one trial, which was just measured.
func CompareTrial(ctx context.Context, a *workspace.Session, runs []*record.Run) (*compare.Comparison, error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	base, head := SplitSides(runs)
	c := compare.Compare(base, head, Overrule(a, ConfiguredOptions(where)))
	accepted, err := FindAcceptances(ctx, a, where, c)
	accepted.Explain(c)
	return c, err
}

// Overrule returns opt with the threshold and the alpha of the command line, where it
// gives them.
func Overrule(a *workspace.Session, opt compare.Options) compare.Options {
	opt.Alpha = cmp.Or(a.Alpha, opt.Alpha)
	if a.Threshold != 0 {
		opt.Threshold = func(string) float64 { return a.Threshold }
	}
	return opt
}

// noteOverruled says of a check that it is judged by other terms than it was measured by, and what
// that does to the error rate. The interval holds at all looks at once, whatever is then asked of
// it; an alpha that is chosen after the rounds were seen is no chance of anything.
func noteOverruled(a *workspace.Session, c *compare.Comparison, sides ...compare.Side) {
	var own *Terms
	for _, s := range sides {
		for _, r := range s.Runs {
			if t, ok := ReadTerms(r); ok && own == nil && r.Trial != "" && r.Facts.Get(record.KeyProcedure) == compare.ProcedureCheck {
				own = &t
			}
		}
	}
	if own == nil {
		return
	}
	add := func(text string) {
		c.Caveats = append(c.Caveats, compare.Caveat{Code: compare.CodeOverruled, Text: text})
	}
	if a.Threshold != 0 && (a.Threshold != own.Threshold || len(own.Rules) > 0) {
		add(fmt.Sprintf("judged by --threshold %.3g%%, not by the trial's own %.3g%%, which check and pull requests go by: a row is decided at the first look that allows it, and its interval holds for any threshold, also one chosen afterwards",
			100*a.Threshold, 100*own.Threshold))
	}
	if a.Alpha != 0 && a.Alpha != own.Alpha {
		add(fmt.Sprintf("judged by --alpha %.3g%%, not by the trial's own %.3g%%, which check and pull requests go by: one that is chosen after its rounds were seen bounds no chance of being wrong",
			100*a.Alpha, 100*own.Alpha))
	}
}

// ConfiguredOptions returns the error rate, the thresholds and the limits of perftrack.toml.
func ConfiguredOptions(p workspace.Place) compare.Options {
	return compare.Options{Alpha: p.Config.Defaults.Alpha, Threshold: p.Config.Threshold, MeanWithin: p.Config.MeanWithin, Limits: p.Config.Limits()}
}

// SplitRange turns BASE..HEAD into two words, unless a file has that name.
func SplitRange(words []string) []string {
	if len(words) != 1 || workspace.IsFile(words[0]) {
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

// SplitSides returns the runs of a trial by their side.
func SplitSides(runs []*record.Run) (base, head compare.Side) {
	for _, r := range runs {
		if r.Side == record.Base {
			base.Runs = append(base.Runs, r)
		} else {
			head.Runs = append(head.Runs, r)
		}
	}
	return base, head
}

// A Resolver finds runs; it opens the database only when a word needs it.
type Resolver struct {
	Session *workspace.Session
	Where   workspace.Place
	DB      *store.DB
}

// Open opens the database, unless it is open.
func (r *Resolver) Open(ctx context.Context) (err error) {
	if r.DB == nil {
		r.DB, err = r.Session.OpenForReading(ctx)
	}
	return err
}

// Close closes the database, if it was opened.
func (r *Resolver) Close() error {
	if r.DB == nil {
		return nil
	}
	return r.DB.Close()
}

// Sides returns the two sides that the words name: two runs, files or commits, a trial, one
// commit, which is compared with HEAD, or for no words what was measured last.
func (r *Resolver) Sides(ctx context.Context, words []string) (base, head compare.Side, err error) {
	if len(words) == 0 {
		if words, err = r.newestWords(ctx); err != nil {
			return base, head, err
		}
		if len(words) == 1 { // the newest trial, which must not hide another of its commits
			ids, err := r.trialsBeside(ctx, words[0])
			if err != nil {
				return base, head, err
			}
			return r.readTrials(ctx, ids)
		}
	}
	b, err := r.Find(ctx, words[0])
	if err != nil {
		return base, head, err
	}
	if b.Trial != "" {
		if len(words) > 1 {
			return base, head, fault.Usagef("%s is a trial and stands for both sides: leave out %s", words[0], words[1])
		}
		return r.ReadTrial(ctx, b.Trial)
	}
	if len(words) == 1 {
		words = append(words, "HEAD")
		if r.Where.Repo == nil {
			return base, head, fault.Usagef("%s with what? Outside a git repository name both sides", words[0])
		}
	}
	h, err := r.Find(ctx, words[1])
	if err != nil {
		return base, head, err
	}
	if h.Trial != "" {
		return base, head, fault.Usagef("%s is a trial and stands for both sides: leave out %s", words[1], words[0])
	}
	return r.pair(ctx, b, h)
}

// newestWords returns the words for the newest trial, unless a run was measured
// alone, or beside an anchor, since; then those of the two commits that were
// measured last.
func (r *Resolver) newestWords(ctx context.Context) ([]string, error) {
	if err := r.Open(ctx); err != nil {
		return nil, err
	}
	infos, err := r.DB.Runs(ctx, store.Filter{Newest: true})
	if err != nil {
		return nil, err
	}
	var words []string
	for _, info := range infos {
		if isAside(info) {
			continue
		}
		if comparesSides(info) && len(words) == 0 {
			return []string{newestTrial(infos, info)}, nil
		}
		if info.Baseline() && info.Commit.SHA != "" && !slices.Contains(words, info.Commit.SHA) {
			if words = append(words, info.Commit.SHA); len(words) == 2 {
				slices.Reverse(words)
				return r.inOrder(ctx, words)
			}
		}
	}
	return nil, fault.Data(errors.New("nothing to compare: no trial and not two commits with complete runs; " +
		"measure with `perftrack run --against REV`"))
}

// newestTrial is the trial that was measured last, whenever it was imported.
func newestTrial(infos []record.RunInfo, newest record.RunInfo) string {
	for _, info := range infos {
		if comparesSides(info) && info.Start.After(newest.Start) {
			newest = info
		}
	}
	return newest.Trial
}

// inOrder returns two commits with the ancestor first, whichever was measured first: a history
// may be filled backwards. Where the repository does not have both they stay as they are.
func (r *Resolver) inOrder(ctx context.Context, commits []string) ([]string, error) {
	if r.Where.Repo == nil {
		return commits, nil
	}
	position, err := r.Where.Repo.Order(ctx, commits)
	if err != nil {
		return nil, err
	}
	first, ok := position[commits[0]]
	second, both := position[commits[1]]
	if ok && both && first > second {
		slices.Reverse(commits)
	}
	return commits, nil
}

// Find returns what one word names: a file, a trial, a run or a commit.
func (r *Resolver) Find(ctx context.Context, word string) (Selection, error) {
	s := Selection{word: word}
	if word == "" {
		return s, fault.Usagef("one of the names is empty: is a variable not set?")
	}
	if word == "-" || workspace.IsFile(word) {
		runs, err := imports.ReadFile(r.Session, word)
		s.Runs = runs
		return s, err
	}
	if err := r.Open(ctx); err != nil {
		return s, fmt.Errorf("%s is not a file here, and: %w", word, err)
	}
	infos, err := r.DB.Runs(ctx, store.Filter{Trial: word})
	if err != nil {
		return s, err
	}
	if len(infos) > 0 {
		s.Trial = word
		return s, nil
	}
	if record.IsHashPrefix(word) {
		run, err := r.DB.Get(ctx, word)
		if err == nil {
			s.Runs = []*record.Run{run}
			return s, nil
		}
		if !errors.Is(err, store.ErrNotFound) {
			return s, fault.Data(err)
		}
	}
	return r.findCommit(ctx, s)
}

func (r *Resolver) findCommit(ctx context.Context, s Selection) (Selection, error) {
	var missing error
	if r.Where.Repo != nil {
		c, err := r.Where.Repo.Resolve(ctx, s.word)
		var unknown *gitrepo.MissingError
		switch {
		case err == nil:
			s.Commit = c.SHA
		case errors.As(err, &unknown) && unknown.Near() != "":
			return s, fault.Data(fmt.Errorf("%s is no file, run, trial or commit: did you mean %s?", s.word, unknown.Near()))
		case errors.As(err, &unknown):
			missing = err
		default:
			return s, fault.Git(err)
		}
	}
	if s.Commit == "" && record.IsHashPrefix(s.word) {
		s.Commit = s.word // a commit of another clone, whose runs were imported
	}
	if s.Commit == "" {
		err := fmt.Errorf("%s is no file, run, trial or commit: see `perftrack list runs`", s.word)
		return s, fault.Data(errors.Join(err, missing))
	}
	infos, err := r.DB.Runs(ctx, store.Filter{Commit: s.Commit, Newest: true})
	if err == nil {
		s.infos, err = r.DB.Sound(ctx, infos, nil) // which of them to take, their headers say
	}
	if err == nil {
		s.suites, err = r.DB.Suites(ctx, store.Filter{Commit: s.Commit})
	}
	if err != nil {
		return s, err
	}
	if len(s.infos) == 0 {
		name := s.word
		if s.Commit != s.word {
			name += " (" + record.ShortHash(s.Commit) + ")"
		}
		if len(infos) > 0 {
			return s, fault.Data(fmt.Errorf("no run of %s is whole, %d are stored: measure it again with `perftrack run --rev %s`", name, len(infos), s.word))
		}
		return s, fault.Data(&UnmeasuredError{Name: name, Word: s.word})
	}
	return s, nil
}
