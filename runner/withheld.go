package runner

import (
	"bytes"
	"os"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/runner/childenv"
)

// withheldHint says which variables of the environment a program that failed may have missed, "" for
// none: those that it printed the names of, or has in its code.
func (m *measurement) withheldHint(side int, s Slot, printed []byte) string {
	var missed []string
	var code []byte
	for _, name := range childenv.Withheld(m.Target.Env) {
		if len(name) < 4 {
			continue // such as _, which is in every program
		}
		if code == nil {
			code = m.codeNaming(side, s)
		}
		if namesVariable(printed, name) || strings.Contains(name, "_") && !childenv.Credential(name) && bytes.Contains(code, []byte(name)) {
			missed = append(missed, name)
		}
	}
	if len(missed) == 0 {
		return ""
	}
	return " (it names " + strings.Join(missed, ", ") + ", withheld from benchmarks: perftrack help trust)"
}

// namesVariable reports whether a text has the name of a variable as a word.
func namesVariable(text []byte, name string) bool {
	return bytes.Contains(text, []byte(name)) && regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).Match(text)
}

// codeNaming is the text in which the names of the variables stand that a program asks for. It is not nil.
func (m *measurement) codeNaming(side int, s Slot) []byte {
	code := []byte(m.Target.Run)
	if g, ok := m.programs[side].(*gotestProgram); ok {
		code, _ = os.ReadFile(g.binaries[s.Package])
	}
	return append(code, 0)
}
