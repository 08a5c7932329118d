package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// Invalid lines get an answer, and the messages around them are passed on.
func TestLineReader(t *testing.T) {
	const good = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	deep := strings.Repeat("[", 20_000)
	for name, tt := range map[string]struct{ line, answer string }{
		"deep and cut off":   {deep, parseError},
		"deep":               {deep + strings.Repeat("]", 20_000), parseError},
		"two values":         {"{} {}", parseError},
		"no JSON":            {"hello", parseError},
		"not UTF-8":          {"\xff\xfe", parseError},
		"too long":           {`{"x":"` + strings.Repeat("a", maxLine) + `"}`, parseError},
		"no message":         {`{}`, invalidRequest},
		"another version":    {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, invalidRequest},
		"a number as method": {`{"jsonrpc":"2.0","id":1,"method":7}`, invalidRequest},
		"an empty batch":     {`[]`, invalidRequest},
		"a batch of nothing": {`[1]`, invalidRequest},
		"a string":           {`"x"`, invalidRequest},
		"null":               {`null`, invalidRequest},
		"an empty line":      {"", ""},
	} {
		var answer bytes.Buffer
		got, err := io.ReadAll(newLineReader(strings.NewReader(good+tt.line+"\n"+good), &answer))
		if err != nil || string(got) != good+good || answer.String() != tt.answer {
			t.Errorf("%s: passed %.200q, answered %q, %v", name, got, answer.String(), err)
		}
	}
	var answer bytes.Buffer
	batch := "[" + strings.TrimSpace(good) + "]" // the last line, without a line break
	if got, err := io.ReadAll(newLineReader(strings.NewReader(batch), &answer)); err != nil || string(got) != batch || answer.Len() > 0 {
		t.Errorf("a batch: passed %q, answered %q, %v", got, answer.String(), err)
	}
}
