package proc

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// bubblewrap is the program that creates boxes.
const bubblewrap = "bwrap"

// systemFolders hold programs and libraries. /sys contains no secrets, and Go's runtime reads
// settings there.
var systemFolders = strings.Fields("/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix/store /gnu/store /sys")

// systemFiles are the files in /etc for libraries, names, certificates and the time zone.
var systemFiles = strings.Fields(`ld.so.cache ld.so.conf ld.so.conf.d alternatives passwd group nsswitch.conf hosts protocols services
	localtime timezone os-release mime.types ssl/certs ca-certificates pki/tls/certs ssl/openssl.cnf fonts java`)

// Boxable returns nil if programs can be isolated on this system, and otherwise an error with the
// reason.
func Boxable(ctx context.Context) error {
	b := new(Box)
	argv, err := b.argv("/bin/true")
	if err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput()
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	said := strings.TrimSpace(string(out))
	if strings.Contains(said, "namespace") || strings.Contains(said, "ermitted") || strings.Contains(said, "ermission denied") {
		return fmt.Errorf("isolate benchmarks: the system does not let bubblewrap create namespaces: %s; "+
			"allow unprivileged user namespaces (kernel.apparmor_restrict_unprivileged_userns, user.max_user_namespaces, or the container's seccomp profile)", said)
	}
	return fmt.Errorf("isolate benchmarks: %w: %s", err, said)
}

// argv returns the command line that runs a program in the box as the first process of its PID
// namespace. All other processes there end with it and cannot kill it.
func (b *Box) argv(program string, args ...string) ([]string, error) {
	path, err := exec.LookPath(bubblewrap)
	if err != nil {
		return nil, fmt.Errorf("isolate benchmarks: %w; install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap)", err)
	}
	argv := []string{path, "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--as-pid-1", "--cap-drop", "ALL", "--hostname", "perftrack"}
	for _, dir := range systemFolders {
		argv = append(argv, "--ro-bind-try", dir, dir)
	}
	for _, file := range systemFiles {
		argv = append(argv, "--ro-bind-try", "/etc/"+file, "/etc/"+file)
	}
	argv = append(argv, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run")
	for _, name := range []string{"HOME", "TMPDIR"} {
		if dir := filepath.Clean(os.Getenv(name)); filepath.IsAbs(dir) && dir != "/" && dir != "/tmp" && dir != "/var/tmp" {
			argv = append(argv, "--tmpfs", dir)
		}
	}
	for _, dir := range b.Read {
		argv = append(argv, "--ro-bind-try", dir, dir)
	}
	for _, dir := range b.Write {
		argv = append(argv, "--bind", dir, dir)
	}
	for _, path := range b.Hide {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			argv = append(argv, "--tmpfs", path)
		} else if err == nil {
			argv = append(argv, "--ro-bind", os.DevNull, path)
		}
	}
	return append(append(argv, "--chdir", "/", "--ro-bind-try", program, program, "--", program), args...), nil
}

// kill kills a stuck supervisor. In a box, the supervisor is a child of bubblewrap and would
// survive if only bubblewrap were killed.
func (s *supervisor) kill() {
	if s.box != "" {
		pid := strconv.Itoa(s.cmd.Process.Pid)
		children, _ := os.ReadFile(filepath.Join("/proc", pid, "task", pid, "children"))
		for _, child := range strings.Fields(string(children)) {
			if n, err := strconv.Atoi(child); err == nil {
				_ = unix.Kill(n, unix.SIGKILL)
			}
		}
	}
	_ = s.cmd.Process.Kill()
}

// sendProcess passes a pidfd for a program in a box to perftrack, because the process ID inside the
// box is not valid outside.
func sendProcess(lifeline *os.File, pid int) {
	var rights []byte
	if fd, err := unix.PidfdOpen(pid, 0); err == nil {
		defer unix.Close(fd)
		rights = unix.UnixRights(fd)
	}
	_ = unix.Sendmsg(int(lifeline.Fd()), []byte{orderRun}, rights, nil, 0)
}

// pidOf returns the process ID of a reported program in this process's namespace, or 0 if the
// program is gone.
func (s *supervisor) pidOf(r report) int {
	if s.box == "" || r.Errno != 0 {
		return r.Pid
	}
	// Fd would not be safe here, because await may close the lifeline in the meantime.
	conn, err := s.lifeline.SyscallConn()
	if err != nil {
		return 0
	}
	var rights []int
	if conn.Control(func(fd uintptr) { _, rights, err = receive(int(fd)) }) != nil || err != nil || len(rights) != 1 {
		return 0
	}
	defer unix.Close(rights[0])
	info, _ := os.ReadFile(fmt.Sprintf("/proc/self/fdinfo/%d", rights[0]))
	for line := range bytes.Lines(info) {
		if rest, ok := bytes.CutPrefix(line, []byte("Pid:")); ok {
			pid, _ := strconv.Atoi(string(bytes.TrimSpace(rest)))
			return max(0, pid)
		}
	}
	return 0
}
