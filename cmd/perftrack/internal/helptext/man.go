package helptext

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// WriteManPages writes the manual pages of c and its subcommands to dir.
func WriteManPages(c *cobra.Command, dir, version string) error {
	path := filepath.Join(dir, manName(c)+".1")
	if err := os.WriteFile(path, []byte(ManPage(c, version)), 0o644); err != nil {
		return fmt.Errorf("write manual page: %w", err)
	}
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := WriteManPages(sub, dir, version); err != nil {
			return err
		}
	}
	return nil
}

// manName returns the name of a command's manual page, such as perftrack-db-verify.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// ManPage returns a command's manual page in roff, using the macros of man(7). The page contains no
// date, to keep builds of a version reproducible.
func ManPage(c *cobra.Command, version string) string {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q \"1\" \"\" %q \"perftrack\"\n", strings.ToUpper(manName(c)), "perftrack "+version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(c)), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n\\fB%s\\fR\n.fi\n", roff(c.UseLine()))
	b.WriteString(".SH DESCRIPTION\n" + roffText(c.Long))
	roffFlags(&b, "OPTIONS", c.NonInheritedFlags())
	roffFlags(&b, "GLOBAL OPTIONS", c.InheritedFlags())
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

// roffText returns text in roff. Paragraphs are filled, except those with indented lines, such as
// tables, which keep their line breaks.
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

// roff escapes text so that hyphens can be copied as minus signs and no line is mistaken for a roff
// request.
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
