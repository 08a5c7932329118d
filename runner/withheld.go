package runner

import (
	"bytes"
	"os"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/program"
)

// withheldHint names the withheld environment variables a failed program may need, because they
// occur in its output or its code. It returns "" if there are no such variables.
func (m *measurement) withheldHint(side int, s program.Slot, printed []byte) string {
	var missed []string
	var code []byte
	for _, name := range childenv.Withheld(m.Target.Env) {
		if len(name) < 4 {
			continue // a name such as _ occurs in every program
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
	return " (the output mentions " + strings.Join(missed, ", ") + ", which perftrack withholds from benchmarks: see perftrack help trust)"
}

// namesVariable reports whether text contains the name of a variable as a whole word.
func namesVariable(text []byte, name string) bool {
	return bytes.Contains(text, []byte(name)) && regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).Match(text)
}

// codeNaming returns the text to search for the names of variables that the program uses. It never
// returns nil.
func (m *measurement) codeNaming(side int, s program.Slot) []byte {
	code := []byte(m.Target.Run)
	if prog, ok := m.programs[side].(sliceable); ok {
		code, _ = os.ReadFile(prog.Binary(s).Binary)
	}
	return append(code, 0)
}
