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
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A Selection holds the runs named by one of the user's arguments.
type Selection struct {
	word   string
	Trial  string                   // for a trial with runs of both sides
	Commit string                   // for a commit, before its runs are chosen
	Runs   []*record.Run            // for a run id or a file
	infos  []record.RunInfo         // runs of the commit, newest first
	suites map[string][]store.Suite // suites of these runs, by run id
}

// Compare compares the runs named in words; see `perftrack compare --help`.
func Compare(ctx context.Context, a *workspace.Session, words []string) (c *compare.Comparison, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	r := &Resolver{Session: a, Where: where}
	defer func() { err = errors.Join(err, r.Close()) }()
	return r.Compare(ctx, SplitRange(words))
}

// Compare compares the runs named in words, see [Resolver.Sides]. It applies the options of each
// trial and the acceptances for the comparison.
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

// noteSearch adds a caveat about a newer bisection. A bisection is compared only if its commits are
// named, because it stops by a rule of its own.
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
		Code: compare.CodeSearches, Text: "a later bisection is not included here; its last step is",
		Detail: fmt.Sprintf("perftrack compare %s %s", record.ShortHash(searches[0].Base.SHA), record.ShortHash(searches[0].Head.SHA)),
	})
	return nil
}

func (r *Resolver) judge(ctx context.Context, base, head compare.Side) (c *compare.Comparison, err error) {
	options, err := r.options(ctx, base, head)
	if err != nil {
		return nil, err
	}
	options.TrialOptions = func(base, head compare.Side) compare.Options {
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

// options returns the options for judging two sides: those stored with their trial or else those of
// the configuration.
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
	noise := NewNoises(ctx, r.DB) // older trials without terms had no capped ranks
	if err := noise.Learn(slices.DeleteFunc(slices.Clone(head.Runs), func(run *record.Run) bool {
		return run.Protocol.Procedure != pairs.ProcedureCheck
	})); err != nil {
		return options, err
	}
	options.Noise = noise.Floor
	return options, nil
}

// peers returns the stored runs of other targets in the same trial, which share the error rate.
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

// CompareTrial compares the runs of a trial just measured.
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

// Overrule returns opt with the threshold and the alpha given on the command line, if any.
func Overrule(a *workspace.Session, opt compare.Options) compare.Options {
	opt.Alpha = cmp.Or(a.Alpha, opt.Alpha)
	if a.Threshold != 0 {
		opt.Threshold = func(string) float64 { return a.Threshold }
	}
	return opt
}

// noteOverruled adds a caveat if a check is judged by terms other than its own. The caveat explains
// the effect on the error rate: the interval holds for any threshold at all looks, but an alpha
// chosen after the rounds does not bound the error rate.
func noteOverruled(a *workspace.Session, c *compare.Comparison, sides ...compare.Side) {
	var own *Terms
	for _, s := range sides {
		for _, r := range s.Runs {
			if t, ok := ReadTerms(r); ok && own == nil && r.Trial != "" && r.Protocol.Procedure == pairs.ProcedureCheck {
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
		add(fmt.Sprintf("judged by --threshold %.3g%% instead of the trial's %.3g%%, which check and pull requests use; the intervals are valid for any threshold, even one chosen afterwards",
			100*a.Threshold, 100*own.Threshold))
	}
	if a.Alpha != 0 && a.Alpha != own.Alpha {
		add(fmt.Sprintf("judged by --alpha %.3g%% instead of the trial's %.3g%%, which check and pull requests use: an alpha chosen after the measurement does not bound the error rate",
			100*a.Alpha, 100*own.Alpha))
	}
}

// ConfiguredOptions returns the error rate, the thresholds and the limits from perftrack.toml.
func ConfiguredOptions(p workspace.Place) compare.Options {
	return compare.Options{Alpha: p.Config.Defaults.Alpha, Threshold: p.Config.Threshold, MeanWithin: p.Config.MeanWithin, Better: p.Config.Better, Limits: p.Config.Limits()}
}

// SplitRange splits the argument BASE..HEAD in two, unless it is the name of a file.
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

// SplitSides splits the runs of a trial by side.
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

// A Resolver finds runs. It opens the database on demand.
type Resolver struct {
	Session *workspace.Session
	Where   workspace.Place
	DB      *store.DB
}

// Open opens the database unless it is open already.
func (r *Resolver) Open(ctx context.Context) (err error) {
	if r.DB == nil {
		r.DB, err = r.Session.OpenForReading(ctx)
	}
	return err
}

// Close closes the database if it is open.
func (r *Resolver) Close() error {
	if r.DB == nil {
		return nil
	}
	return r.DB.Close()
}

// Sides returns the two sides named in words. The arguments are two runs, files or commits; a
// trial; or one commit, to compare with HEAD. Without arguments it returns the newest measurement.
func (r *Resolver) Sides(ctx context.Context, words []string) (base, head compare.Side, err error) {
	if len(words) == 0 {
		if words, err = r.newestWords(ctx); err != nil {
			return base, head, err
		}
		if len(words) == 1 { // the newest trial must not hide an older one of the same commits
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
			return base, head, fault.Usagef("%s is a trial and already names both sides: remove %s", words[0], words[1])
		}
		return r.ReadTrial(ctx, b.Trial)
	}
	if len(words) == 1 {
		words = append(words, "HEAD")
		if r.Where.Repo == nil {
			return base, head, fault.Usagef("%s names only one side: outside a git repository, name both sides", words[0])
		}
	}
	h, err := r.Find(ctx, words[1])
	if err != nil {
		return base, head, err
	}
	if h.Trial != "" {
		return base, head, fault.Usagef("%s is a trial and already names both sides: remove %s", words[1], words[0])
	}
	return r.pair(ctx, b, h)
}

// newestWords returns the arguments for the newest trial. If a run was later measured alone or with
// an anchor, it returns the two commits measured last instead.
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
		if IsAside(info) {
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
	return nil, fault.Data(errors.New("nothing to compare: there is no trial, and there are no two commits with complete runs; " +
		"measure with `perftrack run --against REV`"))
}

// newestTrial returns the trial measured last, even if other trials were imported later.
func newestTrial(infos []record.RunInfo, newest record.RunInfo) string {
	for _, info := range infos {
		if comparesSides(info) && info.Start.After(newest.Start) {
			newest = info
		}
	}
	return newest.Trial
}

// inOrder puts the ancestor of two commits first, because a history may be measured backwards.
// Commits missing in the repository keep their order.
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

// Find returns the file, trial, run or commit named by an argument.
func (r *Resolver) Find(ctx context.Context, word string) (Selection, error) {
	s := Selection{word: word}
	if word == "" {
		return s, fault.Usagef("one of the names is empty: is a variable unset?")
	}
	if word == "-" || workspace.IsFile(word) {
		runs, err := imports.ReadFile(r.Session, word)
		s.Runs = runs
		return s, err
	}
	if err := r.Open(ctx); err != nil {
		return s, fmt.Errorf("%s is not a file, and: %w", word, err)
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
		case errors.As(err, &unknown) && unknown.Near != "":
			return s, fault.Data(fmt.Errorf("%s is not a file, run, trial or commit: did you mean %s?", s.word, unknown.Near))
		case errors.As(err, &unknown):
			missing = err
		default:
			return s, fault.Git(err)
		}
	}
	if s.Commit == "" && record.IsHashPrefix(s.word) {
		s.Commit = s.word // a commit from another clone, with imported runs
	}
	if s.Commit == "" {
		err := fmt.Errorf("%s is not a file, run, trial or commit: see `perftrack list runs`", s.word)
		return s, fault.Data(errors.Join(err, missing))
	}
	infos, err := r.DB.Runs(ctx, store.Filter{Commit: s.Commit, Newest: true})
	if err == nil {
		err = r.DB.Each(ctx, infos, func(sound record.RunInfo, _ *record.Run) error {
			s.infos = append(s.infos, sound)
			return nil
		})
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
			return s, fault.Data(fmt.Errorf("every stored run of %s is damaged (%d): measure it again with `perftrack run --rev %s`", name, len(infos), s.word))
		}
		return s, fault.Data(&UnmeasuredError{Name: name, Word: s.word})
	}
	return s, nil
}
