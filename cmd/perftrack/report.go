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

	"github.com/perftrack/perftrack/cmd/perftrack/internal/family"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	familyreport "github.com/perftrack/perftrack/reports/family"
)

// extensions are the formats of perftrack report, and how their files end.
var extensions = map[string]string{"markdown": "md", "html": "html", "json": "json", "text": "txt"}

// A reportCommand is the flags of perftrack report.
type reportCommand struct {
	family.Options
	format, dir string
	asked       bool // for a format
	page        reportPage
}

func newReportCommand(g *globals) *cobra.Command {
	var r reportCommand
	cmd := &cobra.Command{
		Use:   "report [KIND]",
		Short: "Write what is stored as reports for people",
		Long: `Write what is stored as reports for people. Nothing is measured.

With a KIND that report is printed, without one the summary. With -o it is written to a
file of its name in that folder; without a KIND all of them are written there, with an index that says which to read
when. With --format html and no KIND, -o is the page: what got slower, where, since
when.

  summary     how things stand, what to do first, the top five bottlenecks
  comparison  the newest trial, or --base against --head; top ten each way
  trends      every benchmark over the commits, steps, and what to measure next
  metrics     hot paths, allocators, kernels, models, and every benchmark now
  models      specifications, throughput, scaling, and the forward pass by layer
  memory      what pools, operations in place and fused kernels save
  peers       the numbers of reference.toml beside those measured here

The page is a folder that opens from a file (DIR/index.html), from an artifact or from
any server, and asks no other for anything. The reports are in DIR/reports, unless
histories have more than 200,000 points. A folder that has files of others is refused;
a page that perftrack wrote there before is replaced, and stays whole until the new
one is. With --single the page is one file of up to 32 MB, without the reports and
flame graphs, and replaces only such a page; --last and --package make it smaller.
perftrack serve shows it live.

Each statement follows from stored data by a rule that perftrack help reports shows.
What is not known is called not known: too few runs, no trial, no profile.

The history is that of HEAD, or of --branch, along first parents. Where those commits
were not measured, as where pull requests wrote the reports that were imported, it is
that of the merged branches.

With --head the values are those of that revision, else the newest of each benchmark.
With --base the comparison and the trends begin there, else with the base of the
newest comparison and with the newest tag that was measured.
` + exitStatus,
		Example: `  perftrack report summary
  perftrack report -o out                     all of them, in Markdown
  perftrack report --format html -o out       the page, then open out/index.html
  perftrack report --format html -o public --branch main --title MyLib
  perftrack report --single perftrack.html    the page as one file
  perftrack report comparison --base v1.4.0 --head HEAD
  perftrack report metrics --format json`,
		Args: cobra.MatchAll(cobra.MaximumNArgs(1), checkKind),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.start(cmd, oneOf("format", r.format, "markdown", "html", "json", "text"), refuseEmpty(cmd, "base", "head", "single", "branch", "package"), r.checkDir(args), r.checkPage(cmd, args))
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
			g.term.json = r.format == "json" && len(args) == 1 && r.dir == ""
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
	f.StringVarP(&r.dir, "out", "o", "", "write into this `folder`, which is made if there is none")
	f.StringVar(&r.format, "format", "markdown", "markdown, html, json or text; one KIND on a terminal is text")
	f.StringVar(&r.page.single, "single", "", "write the page into this one `file`")
	f.StringVar(&r.Branch, "branch", "", "`branch` whose line of development is shown (default that of HEAD)")
	f.IntVar(&r.page.last, "last", 0, "points, values and comparisons of the newest so many `commits` only, on the page")
	f.StringVar(&r.page.pkg, "package", "", "only benchmarks of packages with this `text` in their name, on the page")
	f.StringVar(&r.page.title, "title", "", "`title` of the page (default the name of the repository)")
	return cmd
}

// checkKind refuses what is no report.
func checkKind(_ *cobra.Command, args []string) error {
	var known []string
	for _, k := range familyreport.Kinds() {
		known = append(known, string(k))
	}
	if len(args) == 1 && !slices.Contains(known, args[0]) {
		return fmt.Errorf("there is no report %q: there are %s", args[0], strings.Join(known, ", "))
	}
	return nil
}

// checkDir asks for a folder where several files are written. Without one the summary is printed.
func (r *reportCommand) checkDir(args []string) error {
	if len(args) == 0 && r.dir == "" && r.page.single == "" && r.format == "html" {
		return errors.New("the page is several files: name a folder with -o, or one file with --single")
	}
	return nil
}

// one prints one report, or writes it into the folder.
func (r *reportCommand) one(ctx context.Context, a *workspace.Session, t *terminal, kind familyreport.Kind) error {
	s, err := family.Gather(ctx, a, r.Options)
	if err != nil {
		return err
	}
	report := familyreport.Of(kind, s)
	if r.dir == "" && (r.format == "text" || !r.asked && isTerminal(t.stdout)) {
		text := output{format: "text"}
		return text.paged(ctx, t, report, false)
	}
	if r.dir == "" {
		return r.write(t.stdout, report, nil)
	}
	var b bytes.Buffer
	if err := r.write(&b, report, nil); err != nil {
		return err
	}
	return r.save(t, []family.File{{Name: string(kind) + "." + extensions[r.format], Text: b.Bytes()}})
}

// all writes the whole family with its index.
func (r *reportCommand) all(ctx context.Context, a *workspace.Session, t *terminal) error {
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

// files are the reports and their index in the format.
func (r *reportCommand) files(s *familyreport.Subject) (files []family.File, err error) {
	end := extensions[r.format]
	add := func(name familyreport.Kind, file string, report reports.Report) {
		var b bytes.Buffer
		pages := familyreport.Pages(end, name)
		if r.format == "html" { // they lie below the page
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

func (r *reportCommand) save(t *terminal, files []family.File) error {
	if err := family.Write(r.dir, files); err != nil {
		return err
	}
	t.notice(fmt.Sprintf("wrote %s to %s; begin with %s", reports.Plural(len(files), "file"), r.dir, files[0].Name))
	return nil
}
