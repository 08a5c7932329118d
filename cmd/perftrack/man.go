package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newManCommand(g *globals) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [COMMAND...]",
		Short: "Print manual pages",
		Long:  "Print perftrack's manual page, or that of a command, in roff; or write all pages\ninto a directory.\n" + exitStatus,
		Example: `  perftrack man | man -l -
  perftrack man run | man -l -
  perftrack man --dir /usr/local/share/man/man1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir != "" {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return fmt.Errorf("create directory for manual pages: %w", err)
				}
				return writeManPages(cmd.Root(), dir)
			}
			of, err := findCommand(cmd, args)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(g.term.stdout, manPage(of))
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write all pages into this `directory`")
	return cmd
}

// writeManPages writes the page of c, and those of the commands below it, into dir.
func writeManPages(c *cobra.Command, dir string) error {
	path := filepath.Join(dir, manName(c)+".1")
	if err := os.WriteFile(path, []byte(manPage(c)), 0o644); err != nil {
		return fmt.Errorf("write manual page: %w", err)
	}
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := writeManPages(sub, dir); err != nil {
			return err
		}
	}
	return nil
}

// manName is what the page of a command is called, perftrack-db-verify.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage returns the page of a command in roff with the macros of man(7). It has no date: the
// pages of one version are the same whenever they are made.
func manPage(c *cobra.Command) string {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q \"1\" \"\" %q \"perftrack\"\n", strings.ToUpper(manName(c)), "perftrack "+version())
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(c)), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n\\fB%s\\fR\n.fi\n", roff(c.UseLine()))
	b.WriteString(".SH DESCRIPTION\n" + roffText(c.Long))
	roffFlags(&b, "OPTIONS", c.NonInheritedFlags())
	roffFlags(&b, "OPTIONS OF EVERY COMMAND", c.InheritedFlags())
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	var also []string
	if c.HasParent() {
		also = append(also, "\\fB"+roff(manName(c.Parent()))+"\\fR(1)")
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			also = append(also, "\\fB"+roff(manName(sub))+"\\fR(1)")
		}
	}
	if len(also) > 0 {
		b.WriteString(".SH SEE ALSO\n" + strings.Join(also, ",\n") + "\n")
	}
	return b.String()
}

// roffText sets paragraphs: those that are indented, such as tables, as they are, the others filled.
func roffText(text string) string {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		switch paragraph = strings.Trim(paragraph, "\n"); {
		case strings.HasPrefix(paragraph, " "), strings.Contains(paragraph, "\n "):
			fmt.Fprintf(&b, ".PP\n.nf\n%s\n.fi\n", roff(paragraph))
		default:
			fmt.Fprintf(&b, ".PP\n%s\n", roff(paragraph))
		}
	}
	return b.String()
}

func roffFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		name := "\\fB" + roff("--"+f.Name) + "\\fR"
		if f.Shorthand != "" {
			name = "\\fB" + roff("-"+f.Shorthand) + "\\fR, " + name
		}
		value, usage := pflag.UnquoteUsage(f)
		switch {
		case value == "":
		case f.NoOptDefVal != "":
			name += "[=\\fI" + roff(value) + "\\fR]"
		default:
			name += " \\fI" + roff(value) + "\\fR"
		}
		switch f.DefValue {
		case "", "0", "0s", "false", "[]":
		default:
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(b, ".TP\n%s\n%s\n", name, roff(usage))
	})
}

// roff escapes text: a minus is one, which can be copied, and no line is a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
