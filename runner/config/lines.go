package config

import (
	"bytes"
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// keyLines maps the path of each key in a TOML text to its line number, counted from 1. Paths look
// like "defaults", "defaults.alpha", "target", "target[1]", "target[1].name". The text must be
// valid TOML. keyLines is needed because the decoder reports positions only for its own errors.
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

// A scan walks through the expressions in a text from beginning to end.
type scan struct {
	unstable.Parser
	lines        map[string]int
	elements     map[string]int // number of elements so far in each array of tables
	offset, line int            // the current position
}

// note records the current line for path, unless path already has a line.
func (s *scan) note(path string) {
	if s.lines[path] == 0 {
		s.lines[path] = s.line
	}
}

// key returns the path of a key, possibly dotted, within table. It also records the line of each
// part of the key.
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

// newest returns the path of the newest element if path is an array of tables; otherwise it returns
// path.
func (s *scan) newest(path string) string {
	if n := s.elements[path]; n > 0 {
		return fmt.Sprintf("%s[%d]", path, n-1)
	}
	return path
}

// value records the keys in inline tables.
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
