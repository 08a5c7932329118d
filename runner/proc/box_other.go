//go:build unix && !linux

package proc

import (
	"context"
	"errors"
	"os"
)

var errNoBox = errors.New("bubblewrap isolates programs only on Linux")

// Boxable returns an error, because programs cannot be isolated on this system.
func Boxable(context.Context) error { return errNoBox }

func (b *Box) argv(string, ...string) ([]string, error) { return nil, errNoBox }
func (s *supervisor) kill()                             { _ = s.cmd.Process.Kill() }
func (s *supervisor) pidOf(report) int                  { return 0 }
func sendProcess(*os.File, int)                         {}
