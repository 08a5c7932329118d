package childenv

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Seal keeps what this process was told from those that it starts: it is called at the beginning of
// main. The kernel shows the first strings of a process to all of its user, and to root, in
// /proc/PID/environ: what is withheld from benchmarks is overwritten there. This process still
// knows it, as os.Getenv reads a copy. Nobody but root may look into its memory afterwards.
func Seal() error {
	err := errors.Join(erase(), unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))
	if err != nil {
		return fmt.Errorf("hide the environment from benchmarks: %w", err)
	}
	return nil
}

// erase overwrites the values of variables that measured code does not get. The others stay where
// they are: a C library reads them there.
func erase() error {
	begin, end, err := environArea()
	if err != nil || begin == end {
		return err
	}
	memory, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer memory.Close()
	area := make([]byte, end-begin)
	if _, err := memory.ReadAt(area, begin); err != nil {
		return err
	}
	for at := 0; at < len(area); {
		kv, _, _ := bytes.Cut(area[at:], []byte{0})
		if value := bytes.IndexByte(kv, '=') + 1; len(kv) > value && !measured(string(kv)) {
			if _, err := memory.WriteAt(make([]byte, len(kv)-value), begin+int64(at+value)); err != nil {
				return err
			}
		}
		at += len(kv) + 1
	}
	return nil
}

// environArea is where the kernel put the environment: fields 50 and 51 of /proc/PID/stat, proc_pid_stat(5).
func environArea() (begin, end int64, err error) {
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, 0, err
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]) // from the third on
	const first, last = 50 - 3, 51 - 3
	if len(fields) <= last {
		return 0, 0, errors.New("/proc/self/stat is too short")
	}
	if begin, err = strconv.ParseInt(string(fields[first]), 10, 64); err == nil {
		end, err = strconv.ParseInt(string(fields[last]), 10, 64)
	}
	if err == nil && (begin > end || end-begin > 64<<20) {
		err = errors.New("/proc/self/stat has no place of the environment")
	}
	return begin, end, err
}
