package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/family"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	familyreport "github.com/perftrack/perftrack/reports/family"
)

// extensions maps the formats of perftrack report to their file extensions.
var extensions = map[string]string{"markdown": "md", "html": "html", "json": "json", "text": "txt"}

// A reportCommand holds the flags of perftrack report.
type reportCommand struct {
	family.Options
	format, dir string
	asked       bool // whether a format was given
	page        reportPage
}

func newReportCommand(g *globals) *cobra.Command {
	var r reportCommand
	cmd := &cobra.Command{
		Use:   "report [KIND]",
		Short: "Write reports and the page",
		Long: `Write readable reports of the stored results. Nothing is measured.

  summary     the state, what to do first, the top five bottlenecks
  comparison  the newest trial, or --base against --head
  trends      every benchmark over the commits, and benchmarks to measure next
  metrics     hot paths, allocators, kernels, models, newest values
  models      specifications, throughput, scaling, the forward pass
  memory      savings from pools, in-place operations and fused kernels
  peers       the numbers in reference.toml and those measured here

-o writes all reports to a folder; with --format html it is the page.
` + exitStatus,
		Example: `  perftrack report -o out                     all reports in Markdown
  perftrack report --format html -o out       the page: open out/index.html
  perftrack report comparison --base v1.4.0 --head HEAD`,
		Args: cobra.MatchAll(cobra.MaximumNArgs(1), checkKind),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, helptext.OneOf("format", r.format, "markdown", "html", "json", "text"), helptext.RefuseEmpty(cmd, "base", "head", "single", "branch", "package"), r.checkDir(args), r.checkPage(cmd, args))
			if err != nil {
				return err
			}
			if len(args) == 0 && r.dir == "" && r.page.single == "" {
				args = []string{string(familyreport.Summary)}
			}
			r.asked = cmd.Flags().Changed("format")
			if r.isPage(args) {
				return r.writePage(cmd.Context(), a, g.term)
			}
			g.term.JSON = r.format == "json" && len(args) == 1 && r.dir == ""
			if len(args) == 1 {
				return r.one(cmd.Context(), a, g.term, familyreport.Kind(args[0]))
			}
			return r.all(cmd.Context(), a, g.term)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.Base, "base", "", "compare with this `revision`, run or trial")
	f.StringVar(&r.Head, "head", "", "describe this `revision` (default the newest run of each benchmark)")
	cmd.AddCommand(newReportBadgeCommand(g))
	f.StringVarP(&r.dir, "out", "o", "", "write into this `folder`")
	f.StringVar(&r.format, "format", "markdown", "markdown, html, json or text (default text for one KIND on a terminal)")
	f.StringVar(&r.page.single, "single", "", "write the page into this one `file`")
	f.StringVar(&r.Branch, "branch", "", "line of development, by its `branch` (default HEAD's)")
	f.IntVar(&r.page.last, "last", 0, "on the page, only the newest `n` commits")
	f.StringVar(&r.page.pkg, "package", "", "on the page, only packages with this `text` in their name")
	f.StringVar(&r.page.title, "title", "", "`title` of the page (default the name of the repository)")
	return cmd
}

// checkKind returns an error if the argument is not a kind of report.
func checkKind(_ *cobra.Command, args []string) error {
	var known []string
	for _, k := range familyreport.Kinds() {
		known = append(known, string(k))
	}
	if len(args) == 1 && !slices.Contains(known, args[0]) {
		return fmt.Errorf("unknown report %q: known reports are %s", args[0], strings.Join(known, ", "))
	}
	return nil
}

// checkDir returns an error if the HTML page has no destination. Unlike other reports, the page
// consists of several files, so it cannot be printed.
func (r *reportCommand) checkDir(args []string) error {
	if len(args) == 0 && r.dir == "" && r.page.single == "" && r.format == "html" {
		return errors.New("the page consists of several files: name a folder with -o, or one file with --single")
	}
	return nil
}

// one writes a single report to the folder given with -o, or prints it if there is no folder.
func (r *reportCommand) one(ctx context.Context, a *workspace.Session, t *console.Console, kind familyreport.Kind) error {
	s, err := family.Gather(ctx, a, r.Options)
	if err != nil {
		return err
	}
	report := familyreport.Of(kind, s)
	if r.dir == "" && (r.format == "text" || !r.asked && console.IsTerminal(t.Stdout)) {
		text := console.Output{Format: "text"}
		return text.Paged(ctx, t, report, false)
	}
	if r.dir == "" {
		return r.write(t.Stdout, report, nil)
	}
	var b bytes.Buffer
	if err := r.write(&b, report, nil); err != nil {
		return err
	}
	return r.save(t, []family.File{{Name: string(kind) + "." + extensions[r.format], Text: b.Bytes()}})
}

// all writes all reports and their index.
func (r *reportCommand) all(ctx context.Context, a *workspace.Session, t *console.Console) error {
	s, err := family.Gather(ctx, a, r.Options)
	if err != nil {
		return err
	}
	files, err := r.files(s)
	if err != nil {
		return err
	}
	return r.save(t, files)
}

// files returns all reports and their index in the chosen format.
func (r *reportCommand) files(s *familyreport.Subject) (files []family.File, err error) {
	end := extensions[r.format]
	add := func(name familyreport.Kind, file string, report reports.Report) {
		var b bytes.Buffer
		pages := familyreport.Pages(end, name)
		if r.format == "html" { // the reports are in a folder below the page
			pages = append([]reports.Page{{Title: "Page", File: "../index.html"}}, pages...)
		}
		err = errors.Join(err, r.write(&b, report, pages))
		files = append(files, family.File{Name: file + "." + end, Text: b.Bytes()})
	}
	add("", "index", familyreport.Index(s, end))
	for _, k := range familyreport.Kinds() {
		add(k, string(k), familyreport.Of(k, s))
	}
	return files, err
}

func (r *reportCommand) write(w io.Writer, report reports.Report, pages []reports.Page) error {
	switch r.format {
	case "html":
		return reports.HTML(w, report, reports.HTMLOptions{Pages: pages})
	case "json":
		return reports.JSON(w, report)
	case "text":
		return reports.Text(w, report, reports.TextOptions{})
	}
	return reports.Markdown(w, report)
}

func (r *reportCommand) save(t *console.Console, files []family.File) error {
	if err := family.Write(r.dir, files); err != nil {
		return err
	}
	t.Notice(fmt.Sprintf("wrote %s to %s; start with %s", reports.Plural(len(files), "file"), r.dir, files[0].Name))
	return nil
}
