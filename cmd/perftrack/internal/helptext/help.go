// Package helptext writes the help and the manual pages of commands, and errors about the command
// line, with references to the help. Start with usage.go.
package helptext

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/manual"
	"github.com/perftrack/perftrack/runner/spelling"
)

// Text returns the help for a command, a page of the manual, or both if they share a name.
func Text(cmd *cobra.Command, args []string, s manual.Style, all bool) (string, error) {
	if len(args) == 1 && args[0] == "pages" {
		return pageList(), nil
	}
	of, err := Find(cmd, args)
	text := ""
	if err == nil {
		of.InitDefaultHelpFlag() // to list it in Usage
		of.InitDefaultVersionFlag()
		text = Usage(of, s, all)
	}
	if len(args) == 0 {
		return text, err
	}
	page, isPage := manual.Find(args[0])
	_, notFirst := Find(cmd, args[:1])
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
		return "", &Error{meant(fmt.Errorf("unknown command or page %q", strings.Join(args, " ")), near), cmd.Root().CommandPath()}
	}
	return text, err
}

func pageList() string {
	var b strings.Builder
	b.WriteString("Pages of the documentation (perftrack help PAGE):\n")
	for _, p := range manual.Pages() {
		writeName(&b, p.Name, p.Title)
	}
	return b.String()
}

func sectionText(cmd *cobra.Command, page manual.Page, name string, s manual.Style) (string, error) {
	section, ok := page.Section(name)
	if ok {
		return section.Text(s), nil
	}
	near := spelling.Nearest(name, page.Sections())
	if near == "" {
		near = strings.Join(page.Sections(), ", ")
	}
	return "", &Error{fmt.Errorf("the page %s has no section %q: did you mean %s?", page.Name, name, near), cmd.CommandPath()}
}

func pageNames() []string {
	names := []string{"pages"}
	for _, p := range manual.Pages() {
		names = append(names, p.Name)
	}
	return names
}

// Find returns the command named by the user after help or man.
func Find(cmd *cobra.Command, path []string) (*cobra.Command, error) {
	of := cmd.Root()
	for _, word := range path {
		next, _, err := of.Find([]string{word})
		if err != nil || next == of {
			return nil, &Error{meantCommand(of, []string{word}, fmt.Errorf("unknown command %q for %q", word, of.CommandPath())), cmd.CommandPath()}
		}
		of = next
	}
	return of, nil
}
