//go:build unix

package proc

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// output holds the pipes for a program's stdout and stderr. If the caller provides the file for
// stdout, its reader is nil.
type output struct {
	readers, writers [2]*os.File
	reading          sync.WaitGroup
}

func newOutput(stdout *os.File) (*output, error) {
	o := new(output)
	for i := range o.readers {
		if i == 0 && stdout != nil {
			o.writers[i] = stdout
			continue
		}
		var err error
		if o.readers[i], o.writers[i], err = os.Pipe(); err != nil {
			for _, f := range append(o.readers[:], o.writers[:]...) {
				_ = f.Close() // does no harm if the file is nil
			}
			return nil, err
		}
	}
	return o, nil
}

// read copies the output until all writers have closed their ends.
func (o *output) read(stdout, stderr io.Writer) {
	for i, w := range []io.Writer{stdout, stderr} {
		if r := o.readers[i]; r != nil {
			o.reading.Go(func() { _, _ = io.Copy(w, r) })
		}
	}
}

// drain waits for the remaining output, but no longer than drainLimit.
func (o *output) drain() error {
	done := make(chan struct{})
	go func() {
		o.reading.Wait()
		close(done)
	}()
	var err error
	late := time.NewTimer(drainLimit)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
		err = errors.New("a child process kept the output open after the program ended")
	}
	for _, r := range o.readers {
		_ = r.Close()
	}
	return err
}
