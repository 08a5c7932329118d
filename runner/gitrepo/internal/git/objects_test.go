package git

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// Reading half a file is an error and never yields a shorter file.
func TestHalfAFile(t *testing.T) {
	text, err := io.ReadAll(&exactly{strings.NewReader("half"), 8})
	if !errors.Is(err, io.ErrUnexpectedEOF) || string(text) != "half" {
		t.Errorf("read %q, %v", text, err)
	}
	text, err = io.ReadAll(&exactly{strings.NewReader("whole and more"), 5})
	if err != nil || string(text) != "whole" {
		t.Errorf("read %q, %v", text, err)
	}
}
