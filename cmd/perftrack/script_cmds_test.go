package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// expectCode implements the script command `code N command args...`: the command must exit with
// exactly N. testscript's own ! cannot distinguish a regression from a usage error.
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

// haveTools implements two conditions of live scripts. [long] holds unless PERFTRACK_LIVE is short.
// [tools:NAME,/PATH,...] holds if all the programs and files are installed. Under
// PERFTRACK_LANGUAGES=require, as in .ci/run, a missing one is a failure, so that no language is left
// out silently.
func haveTools(cond string) (bool, error) {
	if cond == "long" {
		return os.Getenv("PERFTRACK_LIVE") != "short", nil
	}
	list, ok := strings.CutPrefix(cond, "tools:")
	if !ok {
		return false, fmt.Errorf("unknown condition %s", cond)
	}
	var missing []string
	for tool := range strings.SplitSeq(list, ",") {
		_, err := os.Stat(tool)
		if !filepath.IsAbs(tool) {
			_, err = exec.LookPath(tool)
		}
		if err != nil {
			missing = append(missing, tool)
		}
	}
	if len(missing) > 0 && os.Getenv("PERFTRACK_LANGUAGES") == "require" {
		return false, fmt.Errorf("not installed: %s", strings.Join(missing, ", "))
	}
	return len(missing) == 0, nil
}

// goEnv returns a setting of the go command.
func goEnv(key string) string {
	out, err := exec.Command("go", "env", key).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// damageFile implements the script command `damage [-all] FILE OLD NEW`. It replaces the first (or
// every) occurrence of the bytes OLD with NEW, as a disk fault might.
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
	old, fresh := []byte(args[1]), []byte(args[2])
	if !bytes.Contains(data, old) {
		old, fresh = packed(ts, args[1]), packed(ts, args[2])
	}
	if !bytes.Contains(data, old) {
		ts.Fatalf("%s has no %s", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, bytes.Replace(data, old, fresh, times), 0o644))
}

// packed returns a sample as the database stores it.
func packed(ts *testscript.TestScript, text string) []byte {
	v, err := strconv.ParseFloat(text, 64)
	ts.Check(err)
	return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))
}
