package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/manual"
)

// usage returns the help of a command: what it does in a sentence or two, how it is typed, with
// examples, and after that the details, so that who knows the command finds an example at once.
func usage(c *cobra.Command, s manual.Style) string {
	what, details, _ := strings.Cut(strings.TrimSpace(c.Long), "\n\n")
	var b strings.Builder
	b.WriteString(manual.Wrap(what, s) + "\nUsage:\n")
	if c.Runnable() && c.HasParent() {
		fmt.Fprintf(&b, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND [flags]\n", c.CommandPath())
	}
	if len(c.Aliases) > 0 {
		fmt.Fprintf(&b, "\nShort:\n  %s %s\n", c.Parent().CommandPath(), strings.Join(c.Aliases, ", "))
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	writeCommands(&b, c)
	if !c.HasParent() {
		b.WriteString("\nPages (perftrack help PAGE):\n")
		for _, p := range manual.Pages() {
			writeName(&b, p.Name, p.Title)
		}
	}
	if details != "" {
		b.WriteString("\n" + manual.Wrap(details, s))
	}
	if c.HasAvailableLocalFlags() {
		b.WriteString("\nFlags:\n" + c.LocalFlags().FlagUsagesWrapped(s.Width))
	}
	if c.HasAvailableInheritedFlags() {
		b.WriteString("\nFlags of every command:\n" + c.InheritedFlags().FlagUsagesWrapped(s.Width))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%s says more about a command.\n", strings.Replace(c.CommandPath(), "perftrack", "perftrack help", 1)+" COMMAND")
	}
	return b.String()
}

// writeCommands lists the commands below c, in their groups where it has some.
func writeCommands(b *strings.Builder, c *cobra.Command) {
	groups := c.Groups()
	if len(groups) == 0 && c.HasAvailableSubCommands() {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	for _, group := range groups {
		fmt.Fprintf(b, "\n%s\n", group.Title)
		for _, sub := range c.Commands() {
			if sub.GroupID == group.ID && (sub.IsAvailableCommand() || sub.Name() == "help") {
				writeName(b, sub.Name(), sub.Short)
			}
		}
	}
}

func writeName(b *strings.Builder, name, what string) { fmt.Fprintf(b, "  %-14s%s\n", name, what) }

// seePage says where there is more about a command, if there is a page of its name.
func seePage(c *cobra.Command) string {
	if c.HasParent() && !c.Parent().HasParent() {
		for _, name := range append([]string{c.Name()}, c.Aliases...) {
			if _, ok := manual.Find(name); ok {
				return "\nperftrack help " + name + " says more.\n"
			}
		}
	}
	return ""
}
