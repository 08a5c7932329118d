package shell

import "testing"

// A command contains each argument as a single word, or is "" if this is not possible.
func TestShellCommand(t *testing.T) {
	for _, tt := range [][2]string{
		{"Sort/n=1000", "perftrack run --bench Sort/n=1000"}, {"a b", "perftrack run --bench 'a b'"}, {"$(rm -rf /)", "perftrack run --bench '$(rm -rf /)'"},
		{"it's", `perftrack run --bench 'it'\''s'`}, {"HEAD~1", "perftrack run --bench HEAD~1"}, {"~root", "perftrack run --bench '~root'"}, {"-x", "perftrack run --bench '-x'"},
		{"x\x1b[2J", ""}, {"a\nb", ""}, {"\u202eb", ""}, {"\xff", ""}, {"", ""},
	} {
		if got := Command("perftrack run --bench %s", tt[0]); got != tt[1] {
			t.Errorf("%q: %s, want %s", tt[0], got, tt[1])
		}
	}
}

func TestShellQuote(t *testing.T) {
	for text, want := range map[string]string{
		"Sort/n=1000-8": "Sort/n=1000-8", "": "''", "a b": "'a b'", "日本語": "'日本語'", "it's": `'it'\''s'`, "-x": "'-x'", "~root": "'~root'", "a*": "'a*'",
		"esc\x1b[31m": `$'esc\033[31m'`, "\u202egnp\\'": `$'\342\200\256gnp\\\''`, "\xff": `$'\377'`, "new\nline": `$'new\012line'`, "\x001": `$'\0001'`,
	} {
		if got := Quote(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
