package completion

import (
	"cmp"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// Limits on the number of suggestions of one kind.
const (
	suggestAtMost  = 2000
	suggestCommits = 30
)

// A Suggestion is a word with a description.
type Suggestion struct{ word, about string }

// A suggester finds suggestions. It ignores errors, because a message would disturb the user's
// typing.
type suggester func(ctx context.Context, a *workspace.Session) []Suggestion

// complete returns a completion function that uses the suggester find. It creates a minimal session
// of its own, because starting the command's own session would check flags that are still
// incomplete.
func (c Completer) complete(find suggester, then cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), c.Within)
		defer cancel()
		dir, err := os.Getwd()
		if err != nil {
			return nil, then
		}
		a := &workspace.Session{Dir: dir, DB: cmp.Or(c.Session.DB, os.Getenv("PERFTRACK_DB")), Now: c.Now}
		return Words(find(ctx, a), typed), then
	}
}

// revisionRange completes A..B, with suggestions from find for both ends.
func (c Completer) revisionRange(find suggester) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		then := cobra.ShellCompDirectiveNoFileComp
		from, to, second := strings.Cut(typed, "..")
		if !second {
			return c.complete(find, then|cobra.ShellCompDirectiveNoSpace)(cmd, args, typed)
		}
		found, _ := c.complete(find, then)(cmd, args, to)
		for i := range found {
			found[i] = from + ".." + found[i]
		}
		return found, then
	}
}

// plainWord matches words that are not flags and that no shell interprets. Names of benchmarks and
// branches come from untrusted sources and might contain shell commands.
var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL\pN_.][\pL\pN_./=:+,%@-]*$`) })

// Words returns the words beginning with typed, without duplicates. Each is followed by a tab and
// its description, as cobra expects.
func Words(all []Suggestion, typed string) (words []string) {
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

// these returns a suggester for fixed words.
func these(words ...string) suggester {
	return func(context.Context, *workspace.Session) (all []Suggestion) {
		for _, w := range words {
			all = append(all, Suggestion{word: w})
		}
		return all
	}
}

// stored returns a suggester for one kind of stored or configured name.
func stored(of func(workspace.Words) []string) suggester {
	return func(ctx context.Context, a *workspace.Session) []Suggestion {
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
func revisions(ctx context.Context, a *workspace.Session) []Suggestion {
	repo, err := a.Repository(ctx)
	if err != nil {
		return nil
	}
	all := []Suggestion{{"HEAD", ""}}
	names, _ := repo.Names(ctx, suggestAtMost, suggestCommits)
	for _, n := range names {
		all = append(all, Suggestion{n.Name, n.Subject})
	}
	return all
}

// branches suggests branches and tags, but neither HEAD nor commits.
func branches(ctx context.Context, a *workspace.Session) []Suggestion {
	return slices.DeleteFunc(revisions(ctx, a), func(s Suggestion) bool { return s.word == "HEAD" || record.IsHashPrefix(s.word) })
}

// measured suggests revisions, and the newest runs and trials with their dates.
func measured(ctx context.Context, a *workspace.Session) []Suggestion {
	all := revisions(ctx, a)
	w, _ := a.Words(ctx, suggestAtMost)
	trials := map[string]bool{}
	for _, r := range w.Runs[:min(len(w.Runs), 10*suggestCommits)] {
		if r.Trial != "" && !trials[r.Trial] && len(trials) < suggestCommits {
			trials[r.Trial] = true
			all = append(all, Suggestion{r.Trial, "trial of " + r.Target + " " + reports.Day(r.Start)})
		}
	}
	for _, r := range w.Runs[:min(len(w.Runs), suggestCommits)] {
		all = append(all, Suggestion{record.ShortHash(r.ID), "run of " + r.Target + " at " + reports.HashOrDash(r.Commit.SHA) + " " + reports.Day(r.Start)})
	}
	return all
}

// remotes suggests the git remotes.
func remotes(ctx context.Context, a *workspace.Session) []Suggestion {
	repo, err := a.Repository(ctx)
	if err != nil {
		return nil
	}
	names, _ := repo.Remotes(ctx)
	return these(names...)(ctx, a)
}
