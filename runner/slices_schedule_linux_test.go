package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// A closed benchmark gets no further slices, but another one in the same function continues.
func TestMeasureSlicesWhileOpen(t *testing.T) {
	p := slicesPlan(sliceModule(t, ""), sliceModule(t, "\nfunc init() { more = append(more, \"new\") }\n"))
	p.Bench, p.Rounds = "Table/(n=1|twice|new)$", 2
	// Another measurement has chosen this method.
	p.Chosen = map[program.Slot]slicing.Method{{Package: "example.com/m", Bench: "Table/n=1"}: {N: 777, Slices: 20, Length: time.Millisecond}}
	over := 0
	open := func(s program.Slot) bool {
		return s.Bench != "Table/twice" && s.Bench != "Table/new" && (s.Bench != "Table/n=1" || over == 0)
	}
	rounds, out, err := drive(t.Context(), p, Schedule{Open: open}, nil, func(Round) { over++ })
	if err != nil {
		t.Fatal(err)
	}
	sameSigns(t, found(rounds, 2), map[string]string{"Table/n=1": "s."})
	if w := methodsByName(out)["Table/n=1"]; w.N != 777 || w.Slices != 20 {
		t.Errorf("the method that was chosen before became %+v", w)
	}
}

// After an interruption at any point, the samples are kept, and no process is left running.
func TestMeasureSlicesInterrupted(t *testing.T) {
	dir := sliceModule(t, `
func BenchmarkTells(b *testing.B) {
	f, err := os.OpenFile(os.Getenv("SLICES_MARK"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		b.Fatal(err)
	}
	fmt.Fprintln(f, os.Getpid())
	f.Close()
	loop(b)
}
`)
	for _, at := range []string{"choosing", "slicing"} {
		t.Run(at, func(t *testing.T) {
			mark := filepath.Join(t.TempDir(), "mark")
			t.Setenv("SLICES_MARK", mark)
			p := slicesPlan(dir, dir)
			p.Bench, p.Rounds, p.Benchtime = "Tells|Loop", 5, "20ms"
			if at == "slicing" {
				p.Chosen = sliced("Tells", "Loop")
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			rounds, out, err := drive(ctx, p, Schedule{}, func(p Progress) {
				choosing := strings.HasSuffix(p.What, " in slices")
				if at == "choosing" && choosing && strings.Contains(p.What, "Tells") || at == "slicing" && p.Round == 2 && strings.HasSuffix(p.What, "Tells") {
					before := lines(mark)
					go func() { // cancels in the middle of the measurement
						for lines(mark) < before+3 && ctx.Err() == nil {
							time.Sleep(time.Millisecond)
						}
						cancel()
					}()
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("err is %v", err)
			}
			want := map[string]string{}
			if at == "slicing" {
				want = map[string]string{"Loop": "ss", "Tells": "s."}
			}
			sameSigns(t, found(rounds, 2), want)
			if at == "slicing" && (out.Rounds != 1 || rounds[1].Complete) {
				t.Errorf("%d rounds, the last complete: %v", out.Rounds, rounds[1].Complete)
			}
			text, _ := os.ReadFile(mark)
			for pid := range strings.FieldsSeq(string(text)) {
				var n int
				if fmt.Sscan(pid, &n); n > 0 && syscall.Kill(n, 0) == nil {
					t.Errorf("process %d is still there", n)
				}
			}
		})
	}
}

func lines(file string) int {
	text, _ := os.ReadFile(file)
	return strings.Count(string(text), "\n")
}

// If there is no time to choose a method for a benchmark, it is measured in fresh processes, and
// the reason is recorded.
func TestMeasureUnchosen(t *testing.T) {
	dir := sliceModule(t, "")
	p := slicesPlan(dir, dir)
	p.Bench, p.Rounds = "Loop|Table", 1
	asked := 0
	choosing := func() (slicing.Affords, bool) { asked++; return slicing.Affords{}, asked <= 2 }
	_, out, err := drive(context.Background(), p, Schedule{Choosing: choosing}, nil)
	if err != nil || out.Rounds != 1 {
		t.Fatalf("%d rounds, error %v", out.Rounds, err)
	}
	fresh := 0
	for _, w := range out.Methods {
		if w.OutOfTime && w.Why != "" && w.How == record.MethodFresh && w.Fresh == 1 {
			fresh++
		}
	}
	if asked != 6 || fresh != 4 {
		t.Errorf("asked %d times, %d of 6 in fresh processes: %+v", asked, fresh, out.Methods)
	}
}
