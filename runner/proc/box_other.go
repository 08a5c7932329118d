//go:build unix && !linux

package proc

import (
	"context"
	"errors"
	"os"
)

var errNoBox = errors.New("bubblewrap isolates programs on Linux only")

// Boxable says why no program can be isolated here.
func Boxable(context.Context) error { return errNoBox }

func (b *Box) argv(string, ...string) ([]string, error) { return nil, errNoBox }
func (s *supervisor) kill()                             { _ = s.cmd.Process.Kill() }
func (s *supervisor) pidOf(report) int                  { return 0 }
func sendProcess(*os.File, int)                         {}
