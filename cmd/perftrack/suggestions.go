package main

import (
	"cmp"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A shell waits for suggestions no longer than this, and gets so many of a kind.
var (
	suggestWithin  = 2 * time.Second
	suggestAtMost  = 2000
	suggestCommits = 30
)

// A suggestion is a word to complete to, and what it is.
type suggestion struct{ word, about string }

// A suggester finds what may be meant, as far as it can. What goes wrong on the way is nothing to
// tell who only pressed a key.
type suggester func(ctx context.Context, a *workspace.Session) []suggestion

// complete returns what completes words by a suggester. It makes no session of its own: that
// would check flags which are not typed to their end.
func (g *globals) complete(find suggester, then cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), suggestWithin)
		defer cancel()
		dir, err := os.Getwd()
		if err != nil {
			return nil, then
		}
		a := &workspace.Session{Dir: dir, DB: cmp.Or(g.session.DB, os.Getenv("PERFTRACK_DB")), Now: now}
		return completions(find(ctx, a), typed), then
	}
}

// completeRange completes A..B, either end by a suggester.
func (g *globals) completeRange(find suggester) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		then := cobra.ShellCompDirectiveNoFileComp
		from, to, second := strings.Cut(typed, "..")
		if !second {
			return g.complete(find, then|cobra.ShellCompDirectiveNoSpace)(cmd, args, typed)
		}
		found, _ := g.complete(find, then)(cmd, args, to)
		for i := range found {
			found[i] = from + ".." + found[i]
		}
		return found, then
	}
}

// plainWord is what means the same to every shell, and no flag: the names of benchmarks and
// branches are text from outside, and may be a command line.
var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL\pN_.][\pL\pN_./=:+,%@-]*$`) })

// completions returns the words that begin with what was typed, each once, with a tab and what it
// is, as cobra takes them.
func completions(all []suggestion, typed string) (words []string) {
	seen := map[string]bool{}
	for _, s := range all {
		if seen[s.word] || !strings.HasPrefix(s.word, typed) || !plainWord().MatchString(s.word) {
			continue
		}
		seen[s.word] = true
		about := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" .,:/_+-()%#", r) {
				return r
			}
			return -1
		}, s.about)
		const longest = 60
		if runes := []rune(about); len(runes) > longest {
			about = string(runes[:longest])
		}
		words = append(words, strings.TrimSuffix(s.word+"\t"+about, "\t"))
	}
	return words
}

// these suggests a few words.
func these(words ...string) suggester {
	return func(context.Context, *workspace.Session) (all []suggestion) {
		for _, w := range words {
			all = append(all, suggestion{word: w})
		}
		return all
	}
}

// stored suggests words of one kind that are stored or configured.
func stored(of func(workspace.Words) []string) suggester {
	return func(ctx context.Context, a *workspace.Session) []suggestion {
		w, _ := a.Words(ctx, suggestAtMost)
		return these(of(w)...)(ctx, a)
	}
}

func benchmarkWords(w workspace.Words) []string   { return w.Benchmarks }
func targetWords(w workspace.Words) []string      { return w.Targets }
func suiteWords(w workspace.Words) []string       { return w.Suites }
func unitWords(w workspace.Words) []string        { return w.Units }
func environmentWords(w workspace.Words) []string { return w.Environments }

// revisions suggests HEAD, branches, tags and the newest commits.
func revisions(ctx context.Context, a *workspace.Session) []suggestion {
	repo, err := a.Repository(ctx)
	if err != nil {
		return nil
	}
	all := []suggestion{{"HEAD", ""}}
	names, _ := repo.Names(ctx, suggestAtMost, suggestCommits)
	for _, n := range names {
		all = append(all, suggestion{n.Name, n.Subject})
	}
	return all
}

// branches suggests what revisions does, without the commits.
func branches(ctx context.Context, a *workspace.Session) []suggestion {
	return slices.DeleteFunc(revisions(ctx, a), func(s suggestion) bool { return s.word == "HEAD" || record.IsHashPrefix(s.word) })
}

// measured suggests revisions, and the newest runs and trials with their date.
func measured(ctx context.Context, a *workspace.Session) []suggestion {
	all := revisions(ctx, a)
	w, _ := a.Words(ctx, suggestAtMost)
	trials := map[string]bool{}
	for _, r := range w.Runs[:min(len(w.Runs), 10*suggestCommits)] {
		if r.Trial != "" && !trials[r.Trial] && len(trials) < suggestCommits {
			trials[r.Trial] = true
			all = append(all, suggestion{r.Trial, "trial of " + r.Target + " " + reports.Day(r.Start)})
		}
	}
	for _, r := range w.Runs[:min(len(w.Runs), suggestCommits)] {
		all = append(all, suggestion{record.ShortHash(r.ID), "run of " + r.Target + " at " + reports.HashOrDash(r.Commit.SHA) + " " + reports.Day(r.Start)})
	}
	return all
}

// remotes suggests the git remotes.
func remotes(ctx context.Context, a *workspace.Session) []suggestion {
	repo, err := a.Repository(ctx)
	if err != nil {
		return nil
	}
	names, _ := repo.Remotes(ctx)
	return these(names...)(ctx, a)
}
