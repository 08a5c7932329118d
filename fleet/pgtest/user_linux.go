package pgtest

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// serverUser returns the user and the group the server runs as, because it refuses to run as root.
// ok is false if this process is not root.
func serverUser() (uid, gid int, ok bool, err error) {
	if os.Getuid() != 0 {
		return 0, 0, false, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return 0, 0, false, err
		}
	}
	if uid, err = strconv.Atoi(u.Uid); err == nil {
		gid, err = strconv.Atoi(u.Gid)
	}
	return uid, gid, true, err
}

// own makes the server's user the owner of a folder.
func own(dir string) error {
	uid, gid, ok, err := serverUser()
	if err != nil || !ok {
		return err
	}
	return os.Chown(dir, uid, gid)
}

// become makes a program run as the server's user, and end with this process.
func become(c *exec.Cmd) error {
	uid, gid, ok, err := serverUser()
	if err != nil {
		return err
	}
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
	if ok {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	return nil
}
