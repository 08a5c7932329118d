package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// freeName returns the name of the host or, if another worker of this user has it, the name with the
// first free number. The name is taken until this process ends. A worker that starts again gets its
// old name, and with it its clones.
func freeName(host, dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		name := host
		if n > 1 {
			name = fmt.Sprintf("%s-%d", host, n)
		}
		fd, err := unix.Open(filepath.Join(dir, name+".lock"), unix.O_CREAT|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
		if err != nil {
			return "", err
		}
		if err = unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err == nil {
			return name, nil
		}
		_ = unix.Close(fd)
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return "", err
		}
	}
}
