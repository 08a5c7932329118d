package helptext

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/manual"
)

// --help leaves out advanced flags, with a remark; help --all lists them in a separate group.
func TestAdvancedFlags(t *testing.T) {
	root := &cobra.Command{Use: "perftrack"}
	check := &cobra.Command{Use: "check", Long: "Check.", Run: func(*cobra.Command, []string) {}}
	root.AddCommand(check)
	check.Flags().Bool("strict", false, "fail")
	check.Flags().Bool("pairs", false, "of all commands")
	check.Flags().Bool("shard", false, "of check")
	MarkAdvanced(root)
	for _, tt := range []struct {
		all  bool
		want string
	}{
		{false, "Check.\n\nUsage:\n  perftrack check [flags]\n\nFlags:\n      --strict   fail\n\nperftrack help check --all also lists the advanced flags.\n"},
		{true, "Check.\n\nUsage:\n  perftrack check [flags]\n\nFlags:\n      --strict   fail\n\nAdvanced flags:\n      --pairs   of all commands\n      --shard   of check\n"},
	} {
		if got := Usage(check, manual.Style{Width: 80}, tt.all); got != tt.want {
			t.Errorf("all %v:\n%s\nwant\n%s", tt.all, got, tt.want)
		}
	}
	usual, more := FlagGroups(check.LocalFlags())
	var names []string
	for _, group := range []*pflag.FlagSet{usual, more} {
		group.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	}
	if want := []string{"strict", "pairs", "shard"}; !slices.Equal(names, want) {
		t.Errorf("flags %q, want %q", names, want)
	}
}
