package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/family"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pages"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/site"
)

// A reportPage holds the flags for the HTML page of results.
type reportPage struct {
	single, title, pkg string
	last               int
}

// isPage reports whether the command writes the HTML page rather than reports.
func (r *reportCommand) isPage(args []string) bool {
	return len(args) == 0 && (r.format == "html" || r.page.single != "")
}

// checkPage returns an error if flags for the page are given but no page is written, or if
// destinations conflict.
func (r *reportCommand) checkPage(cmd *cobra.Command, args []string) (err error) {
	f := cmd.Flags()
	for _, name := range []string{"single", "title", "last", "package"} {
		if f.Changed(name) && !r.isPage(args) {
			err = errors.Join(err, fmt.Errorf("--%s applies only to the page: use it with --format html and without a KIND", name))
		}
	}
	for _, name := range []string{"base", "head"} {
		if f.Changed(name) && r.isPage(args) {
			err = errors.Join(err, fmt.Errorf("--%s requires a KIND or another format, because the page has all revisions", name))
		}
	}
	if r.page.last < 0 {
		err = errors.Join(err, errors.New("--last must be a number of commits, 1 or more"))
	}
	if r.page.single != "" && r.dir != "" {
		err = errors.Join(err, errors.New("-o and --single cannot be combined: -o names a folder, --single a file"))
	}
	if r.page.single != "" && f.Changed("format") && r.format != "html" {
		err = errors.Join(err, fmt.Errorf("--single writes a page and cannot be combined with --format %s", r.format))
	}
	return err
}

// writePage writes the page to a folder together with all reports, or alone to a single file.
func (r *reportCommand) writePage(ctx context.Context, a *workspace.Session, t *console.Console) (err error) {
	s, err := pages.Open(ctx, a, pages.Options{Branch: r.Branch, Title: r.page.title, Reports: r.page.single == "", Now: now(), Last: r.page.last, Package: r.page.pkg})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.Empty() {
		return fault.Data(errors.New("nothing is stored yet: measure with `perftrack run`, or read results with `perftrack import`"))
	}
	to := r.page.single
	if to != "" {
		err = site.WriteSingle(ctx, to, s, pageProgress(t))
	} else {
		to = filepath.Join(r.dir, "index.html")
		err = r.writeFolder(ctx, a, t, s)
	}
	t.ClearStatus()
	if err != nil {
		return fault.IO(err)
	}
	t.Notice("wrote the page: open " + to)
	return nil
}

func (r *reportCommand) writeFolder(ctx context.Context, a *workspace.Session, t *console.Console, s *pages.Site) error {
	if s.Points() > pages.MaxReported {
		t.Notice(fmt.Sprintf("the page omits the reports, because histories have more than %d points: write them with `perftrack report -o OTHER`", pages.MaxReported))
		return site.Write(ctx, r.dir, s, nil, pageProgress(t))
	}
	subject, err := family.Gather(ctx, a, r.Options)
	if err != nil {
		return err
	}
	files, err := r.files(subject)
	if err != nil {
		return err
	}
	more := map[string][]byte{}
	for _, f := range files {
		more["reports/"+f.Name] = f.Text
	}
	return site.Write(ctx, r.dir, s, more, pageProgress(t))
}

// pageProgress returns a function that shows progress once writing has taken two seconds, or nil if
// there is no status line.
func pageProgress(t *console.Console) site.Progress {
	if t.Quiet || !t.DrawsStatus() {
		return nil
	}
	begun := time.Now()
	return func(done, of int) {
		if time.Since(begun) > 2*time.Second {
			t.DrawStatus(fmt.Sprintf("writing the page: %d of %d files", done, of))
		}
	}
}
