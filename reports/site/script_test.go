package site

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/reports/site/documents"
	_ "github.com/perftrack/perftrack/runner/drawtest"
)

// hostile lists texts that could break a page, because they have a meaning in markup, scripts, JSON
// or file names, or affect lines or the direction of writing.
var hostile = []string{
	"</script><script>alert(1)</script>",
	"<!--<script>", "]]>", "-->",
	`<img src=x onerror="alert(1)">`, `<svg/onload=alert(1)>`,
	`");alert(1);("`, `\");alert(1);//`, "'-alert(1)-'", "${alert(1)}", "`", "\\", "\\u003c/script>",
	"javascript:alert(1)", "data:text/html,<script>alert(1)</script>",
	"__proto__", "constructor", "toString",
	"a\u2028b\u2029c", "\x00\x01\x1b[31mred\x7f", "\u202egnp.exe", "\u200b\u2066", "\ufeff", "\xff\xfe</script>", "\r\n::error::x",
	"../../etc/passwd", "..", ".", "/", "C:\\con", "nul", "", " ", "%2e%2e%2f", "a/b", "a?b#c&d=e",
	strings.Repeat("long", 5000), strings.Repeat("\u0301", 300), "日本語/ベンチ", "😀",
}

var call = regexp.MustCompile(`\Aperftrack\.data\(("(?:[^"\\]|\\.)*"),(.*),"s1"\);\n\z`)

// checkScript fails unless a script is a single call with the given name and text, without
// characters that could end the element that contains it.
func checkScript(t rapid.TB, script []byte, name, text string) {
	t.Helper()
	if !utf8.Valid(script) || strings.ContainsAny(string(script), "<>&\u2028\u2029\x00\r") || strings.Count(string(script), "\n") != 1 {
		t.Errorf("script %.300q", script)
	}
	m := call.FindSubmatch(script)
	if m == nil {
		t.Fatalf("no call: %.300q", script)
	}
	var gotName string
	var got documents.Commit
	if err := json.Unmarshal(m[1], &gotName); err != nil || gotName != string([]rune(name)) {
		t.Errorf("name %q of %q, %v", gotName, name, err)
	}
	if err := json.Unmarshal(m[2], &got); err != nil || []rune(got.Subject)[0] != 'x' || string([]rune(got.Subject)[1:]) != string([]rune(text)) {
		t.Errorf("text %.300q of %.300q, %v", got.Subject, text, err)
	}
}

func TestScriptOfHostileText(t *testing.T) {
	for _, text := range hostile {
		script, err := Script("b/"+text, &documents.Commit{Subject: "x" + text}, "s1")
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		checkScript(t, script, "b/"+text, text)
	}
}

func TestScriptProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "text"))
		script, err := Script(text, &documents.Commit{Subject: "x" + text}, "s1")
		if err != nil {
			t.Fatal(err)
		}
		if m := call.FindSubmatch(script); m == nil || strings.ContainsAny(string(script), "<>&\u2028\u2029") {
			t.Fatalf("script %q", script)
		}
	})
}

// The error names the unwritable document.
func TestScriptFails(t *testing.T) {
	nan := math.NaN()
	if _, err := Script("index", &documents.Row{Level: &nan}, "s1"); err == nil || !strings.HasPrefix(err.Error(), "encode index: ") {
		t.Errorf("%v", err)
	}
}
