//go:build unix

package proc

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// output is the pipes through which a program's stdout and stderr come. The reader of one
// that the caller gave is nil.
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
				_ = f.Close() // one that was never opened refuses
			}
			return nil, err
		}
	}
	return o, nil
}

// read passes on what comes until all have closed their ends.
func (o *output) read(stdout, stderr io.Writer) {
	for i, w := range []io.Writer{stdout, stderr} {
		if r := o.readers[i]; r != nil {
			o.reading.Go(func() { _, _ = io.Copy(w, r) })
		}
	}
}

// drain waits for the rest.
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
		err = errors.New("output still open after the end")
	}
	for _, r := range o.readers {
		_ = r.Close()
	}
	return err
}
