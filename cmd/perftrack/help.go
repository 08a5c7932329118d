package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/manual"
	"github.com/perftrack/perftrack/runner/spelling"
)

func newHelpCommand(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND... | PAGE [SECTION]]",
		Short: "Show how a command is used, or a page of the documentation",
		Long: `Show how a command is used, or a page of the documentation.

Without an argument it lists the commands and the pages. A page that has the name of a
command, such as sync, stands below the command's flags; the command's own --help leaves
it out. A SECTION is named as links name it: messages that point to one say how.

On a terminal the text is paged as git does it (GIT_PAGER, core.pager, PAGER).
` + exitStatus,
		Example: `  perftrack help check              a command
  perftrack help bisect-helper auto
  perftrack help verdicts           a page
  perftrack help verdicts limits    a section of it`,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := helpText(cmd, args, g.term.style())
			if err != nil {
				return err
			}
			return g.term.page(cmd.Context(), text)
		},
	}
}

// helpText returns what perftrack has to say of a command, a page, or what is both.
func helpText(cmd *cobra.Command, args []string, s manual.Style) (string, error) {
	of, err := findCommand(cmd, args)
	text := ""
	if err == nil {
		of.InitDefaultHelpFlag() // which it lists
		of.InitDefaultVersionFlag()
		text = usage(of, s)
	}
	if len(args) == 0 {
		return text, err
	}
	page, isPage := manual.Find(args[0])
	_, notFirst := findCommand(cmd, args[:1])
	switch {
	case isPage && len(args) == 1 && err == nil:
		return text + "\n" + page.Text(s), nil
	case isPage && len(args) == 1:
		return page.Text(s), nil
	case isPage && len(args) == 2 && err != nil:
		return sectionText(cmd, page, args[1], s)
	case notFirst != nil:
		near := ""
		if !isPage {
			near = spelling.Nearest(args[0], append(commandNames(cmd.Root()), pageNames()...))
		}
		return "", &usageError{meant(fmt.Errorf("there is no command and no page %q", strings.Join(args, " ")), near), cmd.Root().CommandPath()}
	}
	return text, err
}

// sectionText returns the section of a page that was asked for.
func sectionText(cmd *cobra.Command, page manual.Page, name string, s manual.Style) (string, error) {
	section, ok := page.Section(name)
	if ok {
		return section.Text(s), nil
	}
	near := spelling.Nearest(name, page.Sections())
	if near == "" {
		near = strings.Join(page.Sections(), ", ")
	}
	return "", &usageError{fmt.Errorf("the page %s has no section %q: did you mean %s?", page.Name, name, near), cmd.CommandPath()}
}

func pageNames() (names []string) {
	for _, p := range manual.Pages() {
		names = append(names, p.Name)
	}
	return names
}

// findCommand returns the command with the path that was typed after help or man.
func findCommand(cmd *cobra.Command, path []string) (*cobra.Command, error) {
	of := cmd.Root()
	for _, word := range path {
		next, _, err := of.Find([]string{word})
		if err != nil || next == of {
			return nil, &usageError{meantCommand(of, []string{word}, fmt.Errorf("unknown command %q for %q", word, of.CommandPath())), cmd.CommandPath()}
		}
		of = next
	}
	return of, nil
}

// completeHelp completes commands, pages and their sections.
func completeHelp(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	all, directive := completeCommands(cmd, args, typed)
	switch len(args) {
	case 0:
		var pages []suggestion
		for _, p := range manual.Pages() {
			if _, err := findCommand(cmd, []string{p.Name}); err != nil { // else it is there already
				pages = append(pages, suggestion{p.Name, p.Title})
			}
		}
		all = append(all, completions(pages, typed)...)
	case 1:
		if page, ok := manual.Find(args[0]); ok {
			var sections []suggestion
			for _, name := range page.Sections() {
				section, _ := page.Section(name)
				sections = append(sections, suggestion{name, section.Title})
			}
			all = append(all, completions(sections, typed)...)
		}
	}
	return all, directive
}
