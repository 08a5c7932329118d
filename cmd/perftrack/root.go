package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
)

// exitStatus stands at the end of a command's help; gateStatus in its place
// where there are verdicts to gate on.
const (
	exitStatus = `
Exit status: 0 fine; 2 anything that went wrong; 130 interrupted.`
	gateStatus = `
Exit status: 0 fine; 1 a regression or a missed limit (from check, and with --gate);
2 anything that went wrong; 3 inconclusive or lost coverage (only with --strict); 130
interrupted.`
)

// usageError is a command line that perftrack cannot follow.
type usageError struct {
	err  error
	help string // the command whose help says more
}

func (e *usageError) Error() string {
	return fmt.Sprintf("%v (see `%s --help`)", e.err, e.help)
}

func (e *usageError) Unwrap() error { return e.err }

// globals are the flags that every command has.
type globals struct {
	term    *terminal
	session *workspace.Session // as far as flags say what it is, see start
	flags   measure.Flags      // of commands that measure, see measuringFlags
}

func newRootCommand(t *terminal) *cobra.Command {
	g := &globals{term: t, session: &workspace.Session{}}
	root := &cobra.Command{
		Use:   "perftrack",
		Short: "Track performance by git commit and say what really changed",
		Long: `perftrack measures benchmarks, keeps every sample by git commit, and says which of them
really changed.
` + gateStatus,
		Example: `  perftrack run                   measure what is here, store it, print it
  perftrack check                 did this branch make anything slower?
  perftrack compare main feature  compare what is stored
  perftrack history               how all benchmarks stand
  perftrack history Sort/n=10     one benchmark over the commits`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags := root.PersistentFlags()
	flags.StringVar(&g.session.DB, "db", "", "database `file` (default .perftrack/perftrack.db of the repository, elsewhere one for each module; env PERFTRACK_DB)")
	flags.StringVar(&t.color, "color", "auto", "colours: auto, always or never")
	flags.BoolVarP(&t.quiet, "quiet", "q", false, "no progress and no remarks on stderr")
	root.CompletionOptions.DisableDefaultCmd = true
	root.Version = version()
	root.Flags().BoolP("version", "v", false, "print the version, as perftrack version does")
	root.SetVersionTemplate(versionLine())
	for _, group := range commandGroups(g) {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, cmd := range group.commands {
			cmd.GroupID = group.title
			if cmd.Name() == "help" {
				root.SetHelpCommand(cmd)
			}
			root.AddCommand(cmd)
		}
	}
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		fmt.Fprint(c.OutOrStdout(), usage(c, t.style())+seePage(c))
	})
	addMeasuringFlags(root, g)
	addCompletion(root, g)
	asUsageErrors(root)
	return root
}

// A commandGroup is what commands are for, and these, the most used first.
type commandGroup struct {
	title    string
	commands []*cobra.Command
}

func commandGroups(g *globals) []commandGroup {
	return []commandGroup{
		{"Measure", []*cobra.Command{newRunCommand(g), newProfileCommand(g), newBackfillCommand(g), newVetCommand(g)}},
		{"Decide", []*cobra.Command{newCheckCommand(g), newCompareCommand(g), newExplainCommand(g), newBisectCommand(g), newAcceptCommand(g)}},
		{"Look back", []*cobra.Command{newHistoryCommand(g), newListCommand(g), newReportCommand(g), newServeCommand(g), newMCPCommand(g)}},
		{"Share", []*cobra.Command{newInitCommand(g), newSyncCommand(g), newImportCommand(g), newExportCommand(g), newCommentCommand(g), newAskCommand(g), newNotifyCommand(g)}},
		{"Maintain", []*cobra.Command{newDoctorCommand(g), newCalibrateCommand(g), newDBCommand(g), newLimitsCommand(g), newCompletionCommand(g), newManCommand(g), newVersionCommand(g), newHelpCommand(g)}},
	}
}

// asUsageErrors makes every complaint about the command line a usageError,
// which names the help that says how it is meant.
func asUsageErrors(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &usageError{meantFlag(c, err), c.CommandPath()}
	})
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return &usageError{meantCommand(c, args, err), c.CommandPath()}
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		asUsageErrors(sub)
	}
}

// now is the clock of the session; tests put another in its place.
var now = time.Now

// start returns the session for the directory in which perftrack was started,
// unless one of the checks of the command line failed.
func (g *globals) start(cmd *cobra.Command, checks ...error) (*workspace.Session, error) {
	checks = append(checks, checkMeasuringFlags(cmd, g), oneOf("color", g.term.color, "auto", "always", "never"))
	if err := errors.Join(checks...); err != nil {
		return nil, &usageError{err, cmd.CommandPath()}
	}
	if err := outputs.Prepare(g.term.files); err != nil {
		g.term.files = nil
		return nil, fault.IO(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("find the current directory: %w", err)
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find perftrack's own binary: %w", err)
	}
	seed := uint64(time.Now().UnixNano())
	a := g.session
	a.Dir, a.DB, a.Stdin = dir, cmp.Or(a.DB, os.Getenv("PERFTRACK_DB")), g.term.stdin
	a.Version, a.Commit, a.CommitDirty = version(), builtFrom(), buildSetting("vcs.modified") == "true"
	a.Engine, a.Command = []string{exe, engineArg}, typed(cmd)
	a.Now, a.Rand = now, rand.New(rand.NewPCG(seed, uint64(os.Getpid())))
	a.Progress, a.Milestone, a.Notice, a.Reading = g.term.progress, g.term.milestone, g.term.notice, g.term.reading
	if cache, err := os.UserCacheDir(); err == nil { // else nothing is kept
		a.Cache = filepath.Join(cache, "perftrack", "pages")
	}
	if err := isolate(cmd, g); err != nil {
		return nil, err
	}
	g.term.ticks = true
	g.term.damaged, g.term.command = a.Damaged, cmd.CommandPath()
	g.term.places = sync.OnceValue(func() func(string, record.BenchmarkID) reports.Place {
		return placesOf(context.WithoutCancel(cmd.Context()), a)
	})
	return a, nil
}

// isolate prepares for --isolate, and for what perftrack.toml may say of it: with the flag it ends at once
// where nothing can be isolated.
func isolate(cmd *cobra.Command, g *globals) error {
	ctx := cmd.Context()
	if cmd.Flag("isolate") == nil {
		return nil
	}
	if g.flags.Isolate {
		if err := proc.Boxable(ctx); err != nil {
			return fault.IO(err)
		}
	}
	if path, err := g.session.DatabasePath(ctx); err == nil { // else the command says so
		g.flags.Hidden = measure.DatabaseFiles(path)
	}
	return nil
}

// typed is the command with its arguments, cut where it is long.
func typed(cmd *cobra.Command) string {
	const longest = 100
	text := []rune(cmd.CommandPath() + " " + strings.Join(cmd.Flags().Args(), " "))
	return strings.TrimSpace(string(text[:min(len(text), longest)]))
}

// version is the module's version, or what the binary knows of its commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	rev := buildSetting("vcs.revision")
	if rev == "" {
		return "devel"
	}
	v := "devel-" + record.ShortHash(rev)
	if buildSetting("vcs.modified") == "true" {
		v += "-dirty"
	}
	return v
}

var pseudoVersion = regexp.MustCompile(`-\d{14}-([0-9a-f]{12})$`)

// builtFrom is the commit that this binary was built from: of a checkout, or,
// installed as a module, the one that its pseudo-version names.
func builtFrom() string {
	if rev := buildSetting("vcs.revision"); rev != "" {
		return rev
	}
	if m := pseudoVersion.FindStringSubmatch(version()); m != nil {
		return m[1]
	}
	return ""
}

func buildSetting(key string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == key {
				return s.Value
			}
		}
	}
	return ""
}

// oneOf checks a flag that takes one of a few words.
func oneOf(flag, value string, words ...string) error {
	for _, w := range words {
		if value == w {
			return nil
		}
	}
	last := len(words) - 1
	return fmt.Errorf("--%s %q is not %s or %s", flag, value, strings.Join(words[:last], ", "), words[last])
}
