package gitrepo

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// dateWords are the words that git's approximate dates are made of. Git passes over any other in
// silence, and calls what it understands nothing of now.
var dateWords = strings.Fields(`
	january february march april may june july august september october november december
	jan feb mar apr jun jul aug sep sept oct nov dec
	sunday monday tuesday wednesday thursday friday saturday sun mon tue tues wed thu thur thurs fri sat
	second minute hour day week month year seconds minutes hours days weeks months years sec secs min mins
	one two three four five six seven eight nine ten
	ago last yesterday noon midnight tea am pm at on the and of st nd rd th t z utc gmt`)

var (
	// Classes of Unicode take milliseconds to compile, which few commands should pay.
	letters  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\pL+`) })
	aDate    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\pL|\d[./-]\d`) }) // not a mere number
	dateText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL\pN .,:/+_-]{1,60}$`) })
)

// ApproxDate reads a date as git does ("yesterday", "3 days ago", "2.weeks", "last friday noon"),
// with the time that is now. ok is false for what git does not understand, or only in part. It
// needs no repository.
func ApproxDate(ctx context.Context, dir, text string, now time.Time) (at time.Time, ok bool, err error) {
	if !dateText().MatchString(text) {
		return at, false, nil
	}
	for _, w := range letters().FindAllString(strings.ToLower(text), -1) {
		if w == "now" || w == "today" {
			return now, strings.TrimSpace(strings.ToLower(text)) == w, nil
		}
		if !slices.Contains(dateWords, w) {
			return at, false, nil
		}
	}
	if !aDate().MatchString(text) {
		return at, false, nil
	}
	// Unlike rev-parse --since, which calls what it does not know now, config refuses it, and works
	// outside of repositories. The pattern above lets nothing through that ends a line or a value.
	out, err := git.Output(ctx, git.Call{Dir: dir, Args: []string{"config", "--file", "-", "--type=expiry-date", "--get", "date.text"},
		Stdin: strings.NewReader("[date]\ntext = " + text + "\n"),
		Env:   []string{"GIT_TEST_DATE_NOW=" + strconv.FormatInt(now.Unix(), 10)}})
	if git.ExitCode(err) > 0 {
		return at, false, nil
	}
	if err != nil {
		return at, false, fmt.Errorf("read date %q: %w", text, err)
	}
	unix, parseErr := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if parseErr != nil || unix <= 0 || unix > lastSecond || unix == now.Unix() {
		return at, false, nil
	}
	return time.Unix(unix, 0), true, nil
}
