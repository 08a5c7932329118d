package childenv

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Seal hides this process's secrets from its children. It must be called at the beginning of main.
// The kernel exposes the initial environment of a process in /proc/PID/environ, to root and to all
// processes of the same user. Seal overwrites the values of the withheld variables there. os.Getenv
// still returns them, because it reads a copy. Afterwards, only root may read this process's
// memory.
func Seal() error {
	err := errors.Join(erase(), unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))
	if err != nil {
		return fmt.Errorf("hide the environment from benchmarks: %w", err)
	}
	return nil
}

// erase overwrites the values of the variables withheld from measured code. It leaves the other
// variables in place, because a C library reads them there.
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

// environArea returns where the environment begins and ends in memory. These are fields 50 and 51
// of /proc/PID/stat; see proc_pid_stat(5).
func environArea() (begin, end int64, err error) {
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, 0, err
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]) // beginning with the third field
	const first, last = 50 - 3, 51 - 3
	if len(fields) <= last {
		return 0, 0, errors.New("/proc/self/stat is too short")
	}
	if begin, err = strconv.ParseInt(string(fields[first]), 10, 64); err == nil {
		end, err = strconv.ParseInt(string(fields[last]), 10, 64)
	}
	if err == nil && (begin > end || end-begin > 64<<20) {
		err = errors.New("/proc/self/stat has no address of the environment")
	}
	return begin, end, err
}
