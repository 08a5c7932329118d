package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// masks returns the distinct CPU affinities of a process's threads in the kernel's notation.
func masks(pid int) string {
	var all []string
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(task) // the thread may be gone
		for line := range strings.Lines(string(text)) {
			if list, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
				all = append(all, strings.TrimSpace(list))
			}
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " and ")
}

// usableCPUs returns the usable CPUs. It skips the test if there is only one.
func usableCPUs(t *testing.T) []int {
	t.Helper()
	cpus, err := UsableCPUs()
	if err != nil {
		t.Fatal(err)
	}
	if len(cpus) < 2 {
		t.Skip("SKIPPED, PINNING IS NOT TESTED: there is one CPU only")
	}
	return cpus
}

// The program, its threads and its children are bound from the start, because Go derives GOMAXPROCS
// from the initial mask of a process. The supervisor and this process are not bound.
func TestRunPinsTheTree(t *testing.T) {
	cpus, before := usableCPUs(t), masks(os.Getpid())
	for _, tt := range []struct {
		cpus []int
		want string
	}{
		{cpus[:1], fmt.Sprintf("%d, GOMAXPROCS 1", cpus[0])},
		{cpus[1:2], fmt.Sprintf("%d, GOMAXPROCS 1", cpus[1])},
		{nil, fmt.Sprintf("%s, GOMAXPROCS %d", before, runtime.NumCPU())},
	} {
		c := helper(newToken(t), "affinity", before)
		c.Env, c.CPUs = append(c.Env, "GOMAXPROCS="), tt.cpus
		res, err := Run(context.Background(), c)
		if err = errors.Join(err, res.Err()); err != nil {
			t.Fatalf("%v\n%s", err, res.Stderr)
		}
		want := "supervisor: free\nprogram: " + tt.want + "\nchild: " + tt.want + "\n"
		if got := string(res.Stdout); got != want {
			t.Errorf("pinned to %v:\n%swant:\n%s", tt.cpus, got, want)
		}
	}
	if after := masks(os.Getpid()); after != before {
		t.Errorf("this process ran on %s, now it runs on %s", before, after)
	}
}

// affinityProgram prints the CPUs allowed for the program itself, its supervisor and its child. The
// argument lists the CPUs expected for the supervisor.
func affinityProgram(args []string) {
	who := "child"
	if len(args) > 0 {
		// The supervisor restores its own mask only after the program has begun.
		if within(func() bool { return masks(os.Getppid()) == args[0] }) {
			fmt.Println("supervisor: free")
		} else {
			fmt.Println("supervisor:", masks(os.Getppid()))
		}
		who = "program"
	}
	fmt.Printf("%s: %s, GOMAXPROCS %d\n", who, masks(os.Getpid()), runtime.GOMAXPROCS(0))
	if len(args) > 0 {
		_ = start(helper(os.Getenv(tokenEnv), "affinity"), true, os.Stdout).Wait()
	}
}

// A pinned process may pin other processes to CPUs outside its own mask, and UsableCPUs leaves the
// masks of all its threads unchanged.
func TestUsableCPUs(t *testing.T) {
	cpus := usableCPUs(t)
	c := helper(newToken(t), "usable")
	c.CPUs = cpus[1:2]
	res, err := Run(context.Background(), c)
	if err = errors.Join(err, res.Err()); err != nil {
		t.Fatalf("%v\n%s", err, res.Stderr)
	}
	if got, want := string(res.Stdout), fmt.Sprintf("usable %v, runs on %d\n", cpus, cpus[1]); got != want {
		t.Errorf("%swant %s", got, want)
	}
}

// usableProgram calls UsableCPUs in many threads, in the cgroup given by the argument.
func usableProgram(args []string) {
	if len(args) > 0 {
		enter(args[0])
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { _, _ = UsableCPUs() })
	}
	all.Wait()
	cpus, err := UsableCPUs()
	if err != nil {
		panic(err)
	}
	fmt.Printf("usable %v, runs on %s\n", cpus, masks(os.Getpid()))
}

// Run refuses CPUs that do not exist, although the kernel would silently drop them from a mask.
func TestRunCannotPin(t *testing.T) {
	t.Parallel()
	cpus, err := UsableCPUs()
	if err != nil {
		t.Fatal(err)
	}
	for _, absent := range [][]int{{maxCPUs - 1}, {cpus[0], maxCPUs - 1}, {cpus[0], maxCPUs}} {
		res, err := Run(context.Background(), Command{Argv: []string{"true"}, CPUs: absent})
		if !errors.Is(err, syscall.EINVAL) || !strings.Contains(fmt.Sprint(err), "start true: pin it to its CPUs") || res.ExitCode != -1 {
			t.Errorf("pinned to %v: %v, exit code %d", absent, err, res.ExitCode)
		}
	}
}

// A cpuset can exclude CPUs of the machine.
func TestUsableCPUsInCpuset(t *testing.T) {
	cpus := usableCPUs(t)
	dir := filepath.Join("/sys/fs/cgroup/cpuset", fmt.Sprintf("perftrack-test-%d", os.Getpid()))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Skipf("SKIPPED, CPUSETS ARE NOT TESTED: none can be made (needs root and control groups of version 1): %v", err)
	}
	t.Cleanup(func() {
		if !within(func() bool { return os.Remove(dir) == nil }) {
			t.Errorf("cgroup %s is left over", dir)
		}
	})
	for file, value := range map[string]string{"cpuset.cpus": fmt.Sprint(cpus[0]), "cpuset.mems": "0"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(value), 0); err != nil {
			t.Skipf("SKIPPED, CPUSETS ARE NOT TESTED: %v", err)
		}
	}
	res, err := Run(context.Background(), helper(newToken(t), "usable", dir))
	if want := fmt.Sprintf("usable [%d], runs on %[1]d\n", cpus[0]); err != nil || string(res.Stdout) != want {
		t.Errorf("%v, %v: %swant %s", err, res.Err(), res.Stdout, want)
	}
}
