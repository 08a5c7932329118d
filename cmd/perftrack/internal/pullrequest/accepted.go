package pullrequest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
	"github.com/perftrack/perftrack/runner/record"
)

// maxAcceptances bounds the records that one comment reads. Each is a request, and
// GitHub allows a job's token 1,000 an hour.
const maxAcceptances = 500

// readAcceptances returns the acceptances in force which the base repository keeps below
// refs/perftrack, as `perftrack accept` and `sync` write them: of the head of the pull
// request, and of earlier commits that it adds, which hold for those alone. They are
// read through the API: the job has no clone, and who may write there may push to the
// base repository. An error says that there may be more.
func readAcceptances(ctx context.Context, g *githubapi.Client, p *githubapi.PullRequest) (head, earlier compare.Accepted, err error) {
	records, err := readRecords(ctx, g)
	if len(records) == 0 {
		return nil, nil, err
	}
	inForce := compare.Accepted(record.InForce(records))
	head = inForce.In([]string{p.Head.SHA})
	if len(head) == len(inForce) {
		return head, nil, err
	}
	commits, err2 := listCommits(ctx, g, p)
	before := slices.DeleteFunc(commits, func(sha string) bool { return sha == p.Head.SHA })
	return head, inForce.In(before), cmp.Or(err, err2)
}

var errManyCommits = errors.New("GitHub does not list all commits of the pull request")

// listCommits returns the commits that the pull request adds. GitHub lists the first 250.
func listCommits(ctx context.Context, g *githubapi.Client, p *githubapi.PullRequest) (all []string, err error) {
	type commit struct {
		SHA string `json:"sha"`
	}
	path := fmt.Sprintf("pulls/%d/commits", p.Number)
	err = githubapi.Pages(ctx, g, "list the commits", path, nil, func(list []commit) {
		for _, c := range list {
			all = append(all, c.SHA)
		}
	})
	if err == nil && !slices.Contains(all, p.Head.SHA) {
		err = errManyCommits
	}
	return all, err
}

// A recordFile is where a record is: in a commit, or as a blob.
type recordFile struct{ name, commit, blob string }

// readRecords reads the records of accepted changes, in the order of their times. As in an exchange, one
// that is not what it says does not stand in the way of the others; the error tells of
// the first. Without an answer there are none: it may be the one that takes another back.
func readRecords(ctx context.Context, g *githubapi.Client) (records []record.Acceptance, err error) {
	files, err := listRecordFiles(ctx, g)
	if err != nil {
		return nil, err
	}
	if len(files) > maxAcceptances {
		return nil, fmt.Errorf("there are %d records of accepted changes, more than the limit of %d", len(files), maxAcceptances)
	}
	var bad error
	for _, f := range files {
		req := githubapi.Request{What: "read an accepted change", Path: "git/blobs/" + f.blob, Accept: "application/vnd.github.raw+json"}
		if f.blob == "" {
			req.Path, req.Query = "contents/"+f.name, url.Values{"ref": {f.commit}}
		}
		text, _, err := g.Do(ctx, req)
		if err != nil {
			return nil, err
		}
		one, err := exchange.ParseAccepted(f.name, text)
		if err != nil {
			bad = cmp.Or(bad, fmt.Errorf("acceptance %s: %w", record.ShortHash(f.name), err))
			continue
		}
		records = append(records, one)
	}
	slices.SortStableFunc(records, func(a, b record.Acceptance) int { return a.Time.Compare(b.Time) })
	return records, bad
}

// listRecordFiles lists the files of the records, each once, whether in a parcel of its own or in
// one of many.
func listRecordFiles(ctx context.Context, g *githubapi.Client) ([]recordFile, error) {
	files := map[string]recordFile{}
	alone, err := listParcels(ctx, g, exchange.AcceptedFolder)
	if err != nil {
		return nil, err
	}
	for _, p := range alone {
		name := exchange.AcceptedFile(p)
		files[name] = recordFile{name: name, commit: p.Commit}
	}
	packs, err := listParcels(ctx, g, exchange.PackFolder)
	if err != nil {
		return nil, err
	}
	for _, p := range packs {
		list, err := listParcelFiles(ctx, g, p)
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			if exchange.IsAccepted(f) && files[f.Name].name == "" {
				files[f.Name] = recordFile{name: f.Name, blob: f.Blob}
			}
		}
	}
	var all []recordFile
	for _, f := range files {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b recordFile) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

// listParcels lists the parcels of a folder.
func listParcels(ctx context.Context, g *githubapi.Client, folder string) (all []parcel.Parcel, err error) {
	type reference struct {
		Ref    string `json:"ref"`
		Object struct {
			SHA string `json:"sha"`
		} `json:"object"`
	}
	err = githubapi.Pages(ctx, g, "list refs/perftrack", "git/matching-refs/perftrack/"+folder, nil, func(list []reference) {
		for _, r := range list {
			p := parcel.Parcel{Name: strings.TrimPrefix(r.Ref, "refs/perftrack/"), Commit: r.Object.SHA}
			if p.Valid() && strings.HasPrefix(p.Name, folder) {
				all = append(all, p)
			}
		}
	})
	return all, err
}

// listParcelFiles lists the files of a parcel.
func listParcelFiles(ctx context.Context, g *githubapi.Client, p parcel.Parcel) (files []parcel.File, err error) {
	var answer struct {
		Truncated bool `json:"truncated"`
		Tree      []struct {
			Path string `json:"path"`
			SHA  string `json:"sha"`
		} `json:"tree"`
	}
	if _, err := g.Get(ctx, "read refs/perftrack", "git/trees/"+p.Commit, nil, &answer); err != nil {
		return nil, err
	}
	if answer.Truncated {
		return nil, fmt.Errorf("refs/perftrack/%.18s has more files than GitHub lists", p.Name)
	}
	for _, e := range answer.Tree {
		if f := (parcel.File{Name: e.Path, Blob: e.SHA}); f.Valid() {
			files = append(files, f)
		}
	}
	return files, nil
}
