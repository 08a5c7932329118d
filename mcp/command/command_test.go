package command

import (
	"slices"
	"strings"
	"testing"
)

// The agent's words follow --, and a flag and its value form a single argument.
func TestArgs(t *testing.T) {
	got := Call{Command: []string{"list", "runs"}, Flags: []string{"--base=main"}, Words: []string{"--db=/x"}}.args("/tmp/answer.json")
	want := []string{"list", "runs", "--color=never", "--output=json=/tmp/answer.json", "--base=main", "--", "--db=/x"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestLines(t *testing.T) {
	var told []string
	l := &lines{told: func(line string) { told = append(told, line) }}
	for _, text := range []string{"perftrack: one\nperf", "track: two\x1b[31m\r\n\n", strings.Repeat("x", 10<<10) + "\n", "end"} {
		if n, err := l.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	l.end()
	if len(told) != 4 || told[0] != "one" || told[1] != "two[31m" || len(told[2]) != 4<<10 || told[3] != "end" || !slices.Equal(told, l.last) {
		t.Errorf("%q, last %q", told, l.last)
	}
	for range 20 {
		_, _ = l.Write([]byte("more\n"))
	}
	if len(l.last) != mostRemarks {
		t.Errorf("%d lines are kept", len(l.last))
	}
}

func TestClipped(t *testing.T) {
	c := &clipped{most: 5}
	for _, text := range []string{"abc", "defg", "h"} {
		if n, err := c.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if got := c.String(); got != "abcde\n(3 bytes of text left out)" {
		t.Errorf("%q", got)
	}
}

func TestFailure(t *testing.T) {
	for _, tt := range []struct {
		out           Output
		kind, message string
	}{
		{Output{Status: OK}, "", ""},
		{Output{Status: Failed, Document: map[string]any{"error": map[string]any{"kind": "git", "message": "no"}}}, "git", "no"},
		{Output{Status: Failed, Remarks: []string{"a", "b"}}, "", "a\nb"},
		{Output{Status: Undecided, Remarks: []string{"a"}}, "", ""},
	} {
		if kind, message := tt.out.Failure(); kind != tt.kind || message != tt.message {
			t.Errorf("%+v: %q, %q", tt.out, kind, message)
		}
	}
}

func TestPlainArgs(t *testing.T) {
	if got := (Call{Command: []string{"help"}, Words: []string{"verdicts"}, Plain: true}).args("x"); !slices.Equal(got, []string{"help", "--color=never", "--", "verdicts"}) {
		t.Errorf("%q", got)
	}
}
