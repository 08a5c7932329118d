package runner

import (
	"testing"

	"github.com/perftrack/perftrack/runner/proc"
)

func TestCommandFailure(t *testing.T) {
	for _, tt := range []struct {
		what           string
		status         int
		stderr, stdout string
		want           string
	}{
		{"killed below a shell", 139, "Segmentation fault (core dumped)\n", "{\n  \"benchmarks\": [\n  {\n  }\n", "killed by signal 11 (segmentation fault)"},
		{"killed with a reason", 134, "terminate called: no words\n", "", "killed by signal 6 (aborted): terminate called: no words"},
		{"no signal", 255, "", "", "exit status 255"},
		{"no signal, 128", 128, "", "", "exit status 128"},
		{"stderr first", 1, "cannot open words.txt\n", "BM_A 5 ns\n}\n", "exit status 1: cannot open words.txt"},
		{"JSON only", 1, "", "{\n  \"context\": {\n  }\n}\n", "exit status 1"},
		{"before JSON", 1, "", "no such benchmark\n[]\n", "exit status 1: no such benchmark"},
		{"pytest", 1, "", ".F..\nFAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 3 passed in 0.1s\n", "exit status 1: FAILED tests/test_a.py::test_b - assert 1 == 2"},
		{"pytest, no test", 4, "ERROR: file or directory not found: tests\n\n", "\nno tests ran in 0.00s\n", "exit status 4: ERROR: file or directory not found: tests"},
		{"dots", 2, "", "....\n", "exit status 2"},
		{"Rust", 101, "thread 'main' panicked at src/lib.rs:2:5:\nno words\nnote: run with `RUST_BACKTRACE=1`\n", "", "exit status 101: no words"},
		{"Go", 2, "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n", "", "exit status 2: panic: boom"},
	} {
		res := proc.Result{ExitCode: tt.status, Stderr: []byte(tt.stderr), Stdout: []byte(tt.stdout)}
		if got := commandFailure(res); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.what, got, tt.want)
		}
	}
	if got := commandFailure(proc.Result{ExitCode: -1, Signal: 11}); got != "killed by signal 11 (segmentation fault)" {
		t.Errorf("killed itself: %q", got)
	}
}
