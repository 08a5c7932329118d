package site

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"

	"github.com/perftrack/perftrack/reports"
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
	var got Commit
	if err := json.Unmarshal(m[1], &gotName); err != nil || gotName != string([]rune(name)) {
		t.Errorf("name %q of %q, %v", gotName, name, err)
	}
	if err := json.Unmarshal(m[2], &got); err != nil || []rune(got.Subject)[0] != 'x' || string([]rune(got.Subject)[1:]) != string([]rune(text)) {
		t.Errorf("text %.300q of %.300q, %v", got.Subject, text, err)
	}
}

func TestScriptOfHostileText(t *testing.T) {
	for _, text := range hostile {
		script, err := Script("b/"+text, &Commit{Subject: "x" + text}, "s1")
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		checkScript(t, script, "b/"+text, text)
	}
}

func TestScriptProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "text"))
		script, err := Script(text, &Commit{Subject: "x" + text}, "s1")
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
	if _, err := Script("index", &Row{Level: &nan}, "s1"); err == nil || !strings.HasPrefix(err.Error(), "encode index: ") {
		t.Errorf("%v", err)
	}
}

func TestNumber(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "0"}, {1, "1"}, {-3, "-3"}, {123456789, "123456789"}, {1.0 / 3, "0.333333"},
		{1.23456789e-7, "1.23457e-07"}, {-2.5, "-2.5"}, {1e300, "1e+300"}, {1e15, "1e+15"},
		{math.NaN(), "null"}, {math.Inf(1), "null"}, {math.Inf(-1), "null"},
	} {
		text, err := json.Marshal(Number(tt.v))
		if err != nil || string(text) != tt.want {
			t.Errorf("%v: %s, %v; want %s", tt.v, text, err, tt.want)
		}
		var back Number
		if err := json.Unmarshal(text, &back); err != nil {
			t.Errorf("%v: %v", tt.v, err)
		}
		if number := !math.IsNaN(tt.v) && !math.IsInf(tt.v, 0); number != !math.IsNaN(float64(back)) || number && math.Abs(float64(back)-tt.v) > 1e-5*math.Abs(tt.v) {
			t.Errorf("%v: read back as %v", tt.v, back)
		}
	}
}

// Every id is a valid file name on any system, and different names have different ids.
func TestSafeID(t *testing.T) {
	file := regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*(\.\.[a-z0-9][a-z0-9_-]*)?$`)
	seen := map[string]string{}
	for _, name := range append(hostile, "20261123-101530-ab12", "20261123-101530-AB12", "0123abcd..4567cdef", "0123..abcd..4567", "....", "abcd..") {
		id := SafeID(name)
		if !file.MatchString(id) || len(id) > 200 {
			t.Errorf("%.100q: id %q", name, id)
		}
		if other, ok := seen[id]; ok {
			t.Errorf("%.100q and %.100q are both %q", name, other, id)
		}
		seen[id] = name
	}
	for _, name := range []string{"20261123-101530-ab12", "0123abcd..4567cdef"} {
		if got := SafeID(name); got != name {
			t.Errorf("%q became %q", name, got)
		}
	}
	if reports.HashID("b", "a", "bc") == reports.HashID("b", "ab", "c") || reports.HashID("b", "a") != "b4162fddd39a3e422" {
		t.Error("ids of parts")
	}
}
