package config

import (
	"bytes"
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// keyLines returns the line, from 1, at which each key of a TOML text stands, by its
// path: "defaults", "defaults.alpha", "target", "target[1]", "target[1].name". The
// decoder tells positions only with its own errors, and stops at the first. The text
// must be valid TOML.
func keyLines(text string) map[string]int {
	s := &scan{lines: map[string]int{}, elements: map[string]int{}, line: 1}
	s.Reset([]byte(text))
	table := ""
	for s.NextExpression() {
		switch e := s.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = s.key("", e.Key())
			if e.Kind == unstable.ArrayTable {
				s.elements[table]++
				table = s.newest(table)
				s.note(table)
			}
		case unstable.KeyValue:
			s.value(s.key(table, e.Key()), e.Value())
		}
	}
	return s.lines
}

// A scan goes through the expressions of a text, from its first byte to its last.
type scan struct {
	unstable.Parser
	lines        map[string]int
	elements     map[string]int // of each array of tables, so far
	offset, line int            // where the scan is
}

// note gives path the line that the scan is at, unless it was met before.
func (s *scan) note(path string) {
	if s.lines[path] == 0 {
		s.lines[path] = s.line
	}
}

// key returns the path of a key, dotted perhaps, within table, and notes each table on
// its way.
func (s *scan) key(table string, parts unstable.Iterator) (path string) {
	for path = table; parts.Next(); s.note(path) {
		if path = s.newest(path); path != "" {
			path += "."
		}
		part := parts.Node()
		path += string(part.Data)
		at := int(part.Raw.Offset)
		s.line += bytes.Count(s.Data()[s.offset:at], []byte("\n"))
		s.offset = at
	}
	return path
}

// newest returns the path of the newest element where path is an array of tables.
func (s *scan) newest(path string) string {
	if n := s.elements[path]; n > 0 {
		return fmt.Sprintf("%s[%d]", path, n-1)
	}
	return path
}

// value notes the keys of inline tables.
func (s *scan) value(path string, v *unstable.Node) {
	inside := v.Children()
	for i := 0; inside.Next(); i++ {
		switch v.Kind {
		case unstable.InlineTable:
			s.value(s.key(path, inside.Node().Key()), inside.Node().Value())
		case unstable.Array:
			s.value(fmt.Sprintf("%s[%d]", path, i), inside.Node())
		}
	}
}
