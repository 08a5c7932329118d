package pullrequest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
)

// maxAcceptances is the maximum number of records to read for a comment. Reading each of them takes
// a request, and GitHub allows a job's token 1,000 requests an hour.
const maxAcceptances = 500

// readAcceptances returns the accepted changes that have not been revoked, as stored under
// refs/perftrack in the base repository by `perftrack ci accept` and `sync`. It separates
// acceptances for the head of the pull request from those for its earlier commits, which do not
// cover the head. Only users with push access can write to refs/perftrack. The job has no clone, so
// it reads the acceptances through the API. If err is not nil, there may be more acceptances.
func readAcceptances(ctx context.Context, g *githubapi.Client, p *githubapi.PullRequest) (head, earlier acceptance.List, err error) {
	records, err := readRecords(ctx, g)
	if len(records) == 0 {
		return nil, nil, err
	}
	unrevoked := acceptance.List(record.Unrevoked(records))
	head = unrevoked.In([]string{p.Head.SHA})
	if len(head) == len(unrevoked) {
		return head, nil, err
	}
	commits, err2 := g.Commits(ctx, p.Number)
	if err2 == nil && !slices.Contains(commits, p.Head.SHA) {
		err2 = errManyCommits
	}
	before := slices.DeleteFunc(commits, func(sha string) bool { return sha == p.Head.SHA })
	return head, unrevoked.In(before), cmp.Or(err, err2)
}

var errManyCommits = errors.New("GitHub does not list all commits in the pull request")

// readRecords reads the records of accepted changes, sorted by time. It skips broken records and
// returns the first one's error. If a request fails, it returns no records at all, because the
// missing one might revoke another.
func readRecords(ctx context.Context, g *githubapi.Client) (records []record.Acceptance, err error) {
	files, err := listRecordFiles(ctx, g)
	if err != nil {
		return nil, err
	}
	if len(files) > maxAcceptances {
		return nil, fmt.Errorf("read accepted changes: %d records exceed the limit of %d", len(files), maxAcceptances)
	}
	var bad error
	for _, f := range files {
		text, err := g.Blob(ctx, "read an accepted change", f.Blob)
		if err != nil {
			return nil, err
		}
		one, err := exchange.ParseAccepted(f.Name, text)
		if err != nil {
			bad = cmp.Or(bad, fmt.Errorf("acceptance %s: %w", record.ShortHash(f.Name), err))
			continue
		}
		records = append(records, one)
	}
	slices.SortStableFunc(records, func(a, b record.Acceptance) int { return a.Time.Compare(b.Time) })
	return records, bad
}

// listRecordFiles lists the files of the records without duplicates, sorted by name.
func listRecordFiles(ctx context.Context, g *githubapi.Client) (all []parcel.File, err error) {
	for _, folder := range []string{exchange.AcceptedFolder, exchange.PackFolder} {
		parcels, err := listParcels(ctx, g, folder)
		if err != nil {
			return nil, err
		}
		for _, p := range parcels {
			files, err := listParcelFiles(ctx, g, p)
			if err != nil {
				return nil, err
			}
			all = append(all, slices.DeleteFunc(files, func(f parcel.File) bool { return !exchange.IsAccepted(f) })...)
		}
	}
	slices.SortFunc(all, func(a, b parcel.File) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b parcel.File) bool { return a.Name == b.Name }), nil
}

// listParcels lists the parcels in a folder below refs/perftrack. Each parcel is a commit.
func listParcels(ctx context.Context, g *githubapi.Client, folder string) (all []parcel.Parcel, err error) {
	refs, err := g.Refs(ctx, "perftrack/"+folder)
	for _, r := range refs {
		p := parcel.Parcel{Name: strings.TrimPrefix(r.Name, "perftrack/"), Commit: r.Commit}
		if p.Valid() && strings.HasPrefix(p.Name, folder) {
			all = append(all, p)
		}
	}
	return all, err
}

// listParcelFiles lists the files in a parcel.
func listParcelFiles(ctx context.Context, g *githubapi.Client, p parcel.Parcel) (files []parcel.File, err error) {
	list, cut, err := g.TreeEntries(ctx, p.Commit)
	if err == nil && cut {
		err = fmt.Errorf("refs/perftrack/%.18s has more files than GitHub lists", p.Name)
	}
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if f := (parcel.File{Name: e.Path, Blob: e.SHA}); f.Valid() {
			files = append(files, f)
		}
	}
	return files, nil
}
