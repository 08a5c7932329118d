package helptext

import "testing"

// The text of a manual page is shown as written, even if roff would interpret parts of it.
func TestRoffText(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"One.\n\nTwo\nlines.\n", ".PP\nOne.\n.PP\nTwo\nlines.\n"},
		{".toml is a file,\n'so is' C:\\x", ".PP\n\\&.toml is a file,\n\\&'so is' C:\\ex\n"},
		{"GELU_* with --bench", ".PP\nGELU_* with \\-\\-bench\n"},
		{"A table:\n  a  b\n  c  d", ".PP\n.nf\nA table:\n  a  b\n  c  d\n.fi\n"},
	} {
		if got := roffText(tt.text); got != tt.want {
			t.Errorf("roffText(%q) =\n%s\nwant\n%s", tt.text, got, tt.want)
		}
	}
}
