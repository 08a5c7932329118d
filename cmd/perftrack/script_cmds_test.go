package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// expectCode is `code N command args...`: the command must exit with exactly
// N. testscript's own ! cannot tell a regression from a usage error.
func expectCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%s: %v", strings.Join(args[1:], " "), err)
	}
	if got != want {
		ts.Fatalf("%s: exit code %d, want %d\n%s%s", strings.Join(args[1:], " "), got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// goEnv asks the go command for one of its settings, outside of any script.
func goEnv(key string) string {
	out, err := exec.Command("go", "env", key).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// damageFile is `damage [-all] FILE OLD NEW`: where the file first has the bytes OLD,
// or wherever it has them, it has NEW from then on, as after a fault of the disk.
func damageFile(ts *testscript.TestScript, neg bool, args []string) {
	times := 1
	if len(args) > 0 && args[0] == "-all" {
		times, args = -1, args[1:]
	}
	if neg || len(args) != 3 || len(args[1]) != len(args[2]) {
		ts.Fatalf("usage: damage [-all] FILE OLD NEW, of the same length")
	}
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	if !bytes.Contains(data, []byte(args[1])) {
		ts.Fatalf("%s has no %s", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, bytes.Replace(data, []byte(args[1]), []byte(args[2]), times), 0o644))
}
