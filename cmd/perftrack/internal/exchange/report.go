package exchange

import (
	"fmt"
	"strconv"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/listing"
	"github.com/perftrack/perftrack/reports"
)

// Report describes an exchange.
func Report(done SyncResult, dryRun bool) reports.Report {
	l := listing.New("sync", "what", "#received", "#sent")
	l.Add("runs", done.Received.Runs, done.Sent.Runs)
	l.Add("accepted changes", done.Received.Acceptances, done.Sent.Acceptances)
	l.Add("deletions", done.Received.Deletions, done.Sent.Deletions)
	if done.LeftOut > 0 {
		l.Add("left out", done.LeftOut, 0)
	}
	r := l.Report()
	r.Summary = fmt.Sprintf("%s received, %d sent", reports.Plural(done.Received.Runs, "run"), done.Sent.Runs)
	if done.Deleted > 0 {
		r.Summary += fmt.Sprintf(", %d deleted", done.Deleted)
	}
	if done.Replaced > 0 {
		r.Summary += fmt.Sprintf("; %s packed", reports.Plural(done.Replaced, "reference"))
	}
	if dryRun {
		r.Summary += "; nothing was done, because of --dry-run"
	}
	r.Facts = append(r.Facts, reports.Fact{Key: "remote", Value: done.Remote}, reports.Fact{Key: "references on the remote", Value: strconv.Itoa(done.Parcels)})
	if done.Unshared > 0 {
		r.Facts = append(r.Facts, reports.Fact{Key: "not shared", Value: fmt.Sprintf("%d runs that are partial, dirty or without a commit: send them with --all", done.Unshared)})
	}
	return r
}
