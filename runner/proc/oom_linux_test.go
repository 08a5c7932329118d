package proc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// memoryProgram touches 256 MiB.
func memoryProgram([]string) {
	block := make([]byte, 256<<20)
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	fmt.Println("not killed", block[4096])
}

// enter moves this process into the cgroup.
func enter(cgroup string) {
	if err := os.WriteFile(filepath.Join(cgroup, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0); err != nil {
		panic(err)
	}
}

// selfmoveProgram leaves the supervisor's cgroup before it allocates memory.
func selfmoveProgram(args []string) {
	enter(args[0])
	memoryProgram(nil)
}

// confinedProgram stands in for a perftrack inside the cgroup.
func confinedProgram(args []string) {
	enter(args[0])
	for _, c := range []Command{
		helper("", "memory"),
		// The shell survives and exits with status 137.
		{Argv: []string{"sh", "-c", `"$0" "$1"; exit $?`, os.Args[0], helperArg + "memory"}, Env: helper("", "memory").Env},
		helper("", "exit", "0"),
	} {
		res, err := Run(context.Background(), c)
		fmt.Println(res.OOMKilled, res.Err(), err)
	}
}

// limitedCgroup creates a memory cgroup limited to 64 MiB, or skips the test. The cgroup is a child
// of this process's own cgroup or, because version 2 allows processes only in leaves, a sibling.
func limitedCgroup(t *testing.T) string {
	t.Helper()
	own, v2 := memoryCgroup()
	if own == "" {
		t.Skip("SKIPPED, OOM IS NOT TESTED: no memory cgroup is mounted")
	}
	parents, limit := []string{own}, "memory.limit_in_bytes"
	if v2 {
		parents, limit = []string{own, filepath.Dir(own)}, "memory.max"
	}
	var err error
	for _, parent := range parents {
		dir := filepath.Join(parent, fmt.Sprintf("perftrack-test-%d", os.Getpid()))
		if err = os.Mkdir(dir, 0o700); err != nil {
			continue
		}
		if err = os.WriteFile(filepath.Join(dir, limit), []byte("64M"), 0); err != nil {
			_ = os.Remove(dir)
			continue
		}
		_ = os.WriteFile(filepath.Join(dir, "memory.swap.max"), []byte("0"), 0) // absent without swap
		t.Cleanup(func() {
			if !within(func() bool { return os.Remove(dir) == nil }) {
				t.Errorf("cgroup %s is left over", dir)
			}
		})
		return dir
	}
	t.Skipf("SKIPPED, OOM IS NOT TESTED: no memory cgroup can be made (needs root or delegation): %v", err)
	return ""
}

func TestOOMKilled(t *testing.T) {
	dir := limitedCgroup(t)
	t.Run("program in another cgroup", func(t *testing.T) {
		res, err := Run(context.Background(), helper(newToken(t), "selfmove", dir))
		if err != nil || !res.OOMKilled || fmt.Sprint(res.Err()) != "killed: out of memory" {
			t.Errorf("OOMKilled %v, %v, %v, stdout %q", res.OOMKilled, res.Err(), err, res.Stdout)
		}
	})
	t.Run("all in one cgroup", func(t *testing.T) {
		res, err := Run(context.Background(), helper(newToken(t), "confined", dir))
		want := "true killed: out of memory <nil>\ntrue killed: out of memory <nil>\nfalse <nil> <nil>\n"
		if err != nil || string(res.Stdout) != want {
			t.Errorf("%v, %v, got:\n%swant:\n%sstderr: %s", res.Err(), err, res.Stdout, want, res.Stderr)
		}
	})
	t.Run("somebody else's SIGKILL", func(t *testing.T) {
		res, err := Run(context.Background(), Command{Argv: []string{"sh", "-c", "kill -9 $$"}})
		if err != nil || res.OOMKilled || fmt.Sprint(res.Err()) != "signal: killed" {
			t.Errorf("OOMKilled %v, %v, %v", res.OOMKilled, res.Err(), err)
		}
	})
}

func TestOOMKillsRose(t *testing.T) {
	tests := []struct {
		before, after oomKills
		want          bool
	}{
		{oomKills{0, 0}, oomKills{0, 0}, false},
		{oomKills{3, 9}, oomKills{4, 10}, true},
		{oomKills{3, -1}, oomKills{4, -1}, true},
		{oomKills{-1, 9}, oomKills{-1, 10}, true},
		{oomKills{-1, -1}, oomKills{-1, -1}, false},
		{oomKills{-1, -1}, oomKills{5, 5}, false}, // unknown before
	}
	for _, tt := range tests {
		if got := tt.after.roseSince(tt.before); got != tt.want {
			t.Errorf("%+v since %+v: %v, want %v", tt.after, tt.before, got, tt.want)
		}
	}
}

func TestFindMemoryCgroup(t *testing.T) {
	tests := []struct {
		name, cgroups, mounts string
		dir                   string
		v2                    bool
	}{
		{"v2", "0::/user.slice/a:b.scope\n",
			"31 23 0:28 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
			"/sys/fs/cgroup/user.slice/a:b.scope", true},
		{"v2 in a container", "0::/\n",
			"31 23 0:28 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
			"/sys/fs/cgroup", true},
		{"v1", "9:name=systemd:/x\n4:cpu,memory:/build/7\n0::/\n",
			"30 23 0:27 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n35 31 0:32 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
			"/sys/fs/cgroup/memory/build/7", false},
		{"v1 in a container", "4:memory:/docker/abc/inner\n",
			"35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup memory rw,memory\n",
			"/sys/fs/cgroup/memory/inner", false},
		{"v1, path not visible", "4:memory:/docker/abc\n",
			"35 31 0:32 /docker/ab /sys/fs/cgroup/memory ro - cgroup memory rw,memory\n",
			"/sys/fs/cgroup/memory", false},
		{"v1 without a memory controller, v2 beside it", "4:cpu:/x\n0::/y\n",
			"33 31 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
			"/sys/fs/cgroup/unified/y", true},
		{"none", "", "22 1 0:20 / /proc rw - proc proc rw\n", "", false},
	}
	for _, tt := range tests {
		if dir, v2 := findMemoryCgroup(tt.cgroups, tt.mounts); dir != tt.dir || v2 != tt.v2 {
			t.Errorf("%s: %q, %v; want %q, %v", tt.name, dir, v2, tt.dir, tt.v2)
		}
	}
}
