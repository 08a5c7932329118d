package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/family"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pages"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/site"
)

// A reportPage is the flags of the page.
type reportPage struct {
	single, title, pkg string
	last               int
}

// isPage reports whether it is the page that is to be written.
func (r *reportCommand) isPage(args []string) bool {
	return len(args) == 0 && (r.format == "html" || r.page.single != "")
}

// checkPage refuses flags that go only with the page, or with another place for it.
func (r *reportCommand) checkPage(cmd *cobra.Command, args []string) (err error) {
	f := cmd.Flags()
	for _, name := range []string{"single", "title", "last", "package"} {
		if f.Changed(name) && !r.isPage(args) {
			err = errors.Join(err, fmt.Errorf("--%s is of the page: it goes with --format html and no KIND", name))
		}
	}
	for _, name := range []string{"base", "head"} {
		if f.Changed(name) && r.isPage(args) {
			err = errors.Join(err, fmt.Errorf("--%s goes with a KIND, or another format: the page has all revisions", name))
		}
	}
	if r.page.last < 0 {
		err = errors.Join(err, errors.New("--last is a number of commits"))
	}
	if r.page.single != "" && r.dir != "" {
		err = errors.Join(err, errors.New("-o and --single do not go together: one is a folder, the other a file"))
	}
	if r.page.single != "" && f.Changed("format") && r.format != "html" {
		err = errors.Join(err, fmt.Errorf("--single is a page: it does not go with --format %s", r.format))
	}
	return err
}

// writePage writes the page with the reports, or alone in one file.
func (r *reportCommand) writePage(ctx context.Context, a *workspace.Session, t *terminal) (err error) {
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
		err = site.WriteSingle(ctx, to, s, t.pageProgress())
	} else {
		to = filepath.Join(r.dir, "index.html")
		err = r.writeFolder(ctx, a, t, s)
	}
	t.clearStatus()
	if err != nil {
		return fault.IO(err)
	}
	t.notice("wrote the page: open " + to)
	return nil
}

func (r *reportCommand) writeFolder(ctx context.Context, a *workspace.Session, t *terminal, s *pages.Site) error {
	if s.Points() > pages.MaxReported {
		t.notice(fmt.Sprintf("the reports are left out of the page, as histories have more than %d points: write them with `perftrack report -o OTHER`", pages.MaxReported))
		return site.Write(ctx, r.dir, s, nil, t.pageProgress())
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
	return site.Write(ctx, r.dir, s, more, t.pageProgress())
}

// pageProgress returns what draws how far a page is, once it takes longer than two seconds.
func (t *terminal) pageProgress() site.Progress {
	if t.quiet || !t.drawsStatus() {
		return nil
	}
	begun := time.Now()
	return func(done, of int) {
		if time.Since(begun) > 2*time.Second {
			t.drawStatus(fmt.Sprintf("writing the page: %d of %d files", done, of))
		}
	}
}
