package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/perftrack/perftrack/runner/spelling"
)

// file collects the mistakes in a file while its content is checked.
type file struct {
	name     string
	lines    map[string]int // see keyLines
	mistakes []mistake
}

type mistake struct {
	file string
	line int
	text string
}

func (m mistake) Error() string { return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.text) }

// literal holds a string, a number or a boolean as it is written, without quotes.
type literal struct{ text string }

func (l *literal) UnmarshalText(text []byte) error {
	l.text = string(text)
	return nil
}

// decode decodes text into content, a pointer to a struct with toml tags. It returns an error if
// text is not TOML or if a value has the wrong type. Unknown keys and empty values are recorded as
// mistakes in the returned file, and the caller adds further mistakes.
func decode(text []byte, fileName string, content any) (*file, error) {
	if len(text) > MaxSize {
		return nil, fmt.Errorf("read configuration %s: larger than %d KiB", fileName, MaxSize>>10)
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		var syntax *toml.DecodeError
		if errors.As(err, &syntax) {
			line, _ := syntax.Position()
			return nil, mistake{fileName, max(1, line), strings.TrimPrefix(syntax.Error(), "toml: ")}
		}
		return nil, fmt.Errorf("read configuration %s: %w", fileName, err)
	}
	f := &file{name: fileName, lines: keyLines(string(text))}
	f.check("", reflect.TypeOf(content).Elem(), tree)
	if err := toml.Unmarshal(text, content); err != nil {
		return nil, cmp.Or(f.err(), fmt.Errorf("read configuration %s: %w", fileName, err))
	}
	return f, nil
}

// check records every value at or below path that does not fit into t, is empty or has an unknown
// key.
func (f *file) check(path string, t reflect.Type, value any) {
	key := path[strings.LastIndex(path, ".")+1:]
	if !fits(t, value) {
		f.note(path, wanted(t), key)
		return
	}
	switch v := value.(type) {
	case string:
		if v == "" {
			f.note(path, "%s is empty", key)
		} else if strings.ContainsFunc(v, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }) {
			f.note(path, "%s contains a control character", key)
		}
	case []any:
		for i, element := range v {
			f.check(fmt.Sprintf("%s[%d]", path, i), t.Elem(), element)
		}
	case map[string]any:
		known, types := keysOf(t)
		for name, element := range v {
			at := strings.TrimPrefix(path+"."+name, ".")
			if types[name] != nil {
				f.check(at, types[name], element)
			} else if near := spelling.Nearest(name, known); near != "" {
				f.note(at, "unknown key %q: did you mean %q?", name, near)
			} else {
				f.note(at, "unknown key %q: known keys are %s", name, strings.Join(known, ", "))
			}
		}
	}
}

// keysOf returns the keys of a table decoded into t, in field order, and the type of each key's
// value.
func keysOf(t reflect.Type) (keys []string, types map[string]reflect.Type) {
	types = map[string]reflect.Type{}
	for _, field := range reflect.VisibleFields(t) {
		if key := field.Tag.Get("toml"); key != "" && key != "-" {
			keys = append(keys, key)
			types[key] = field.Type
		}
	}
	return keys, types
}

// fits reports whether value can be decoded into t. A list of strings must not be empty.
func fits(t reflect.Type, value any) bool {
	kind, scalar := t.Kind(), t == reflect.TypeFor[literal]()
	switch v := value.(type) {
	case string:
		return scalar || kind == reflect.String
	case int64:
		return scalar || kind == reflect.Int || kind == reflect.Float64
	case float64:
		return scalar || kind == reflect.Float64
	case bool:
		return scalar || kind == reflect.Bool
	case []any:
		return kind == reflect.Slice && (len(v) > 0 || t.Elem().Kind() == reflect.Struct) &&
			!slices.ContainsFunc(v, func(element any) bool { return !fits(t.Elem(), element) })
	case map[string]any:
		return !scalar && kind == reflect.Struct
	}
	return false
}

// wanted returns the message for a key that requires a value of type t.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "%s must be true or false, without quotes"
	case reflect.Int:
		return "%s must be a whole number"
	case reflect.Float64:
		return "%s must be a number above zero"
	case reflect.Struct:
		return "%s must be a table: write [%[1]s]"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			return "%s must be a list of tables: write [[%[1]s]]"
		}
		return `%s must be a list of strings: write %[1]s = ["..."]`
	}
	return `%s must be a string: write %[1]s = "..."`
}

// note records a mistake at the line of path. If the file does not contain path, it uses the line
// of the nearest enclosing table.
func (f *file) note(path, format string, args ...any) {
	for f.lines[path] == 0 && path != "" {
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	f.mistakes = append(f.mistakes, mistake{f.name, max(f.lines[path], 1), fmt.Sprintf(format, args...)})
}

// err joins the mistakes, sorted by line.
func (f *file) err() error {
	slices.SortFunc(f.mistakes, func(a, b mistake) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.text, b.text))
	})
	all := make([]error, len(f.mistakes))
	for i, m := range f.mistakes {
		all[i] = m
	}
	return errors.Join(all...)
}

// table is a table in the file. It embeds the file that collects the mistakes.
type table struct {
	*file
	path string // such as "target[2]"
}

func (t table) note(key, format string, args ...any) { t.file.note(t.path+"."+key, format, args...) }

// has reports whether the table has the key.
func (t table) has(key string) bool { return t.lines[t.path+"."+key] > 0 }

// need records a mistake unless the table has at least one of the keys.
func (t table) need(keys ...string) {
	if !slices.ContainsFunc(keys, t.has) {
		kind, _, _ := strings.Cut(t.path, "[")
		t.note(keys[0], "%s: missing key %s", kind, strings.Join(keys, " or "))
	}
}
