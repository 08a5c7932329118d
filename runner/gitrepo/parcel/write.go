package parcel

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// parcelMessage and parcelAuthor are in every parcel's commit. Changing them changes
// every parcel, so the number only grows when it must.
const (
	parcelMessage = "perftrack parcel, format 1\n"
	parcelAuthor  = "perftrack <perftrack> 0 +0000" // a date of 1970 puts it at the end of git log --all
)

// A Writer makes parcels. Nothing is there before [Clone.Write] returns.
type Writer struct {
	out  *bufio.Writer
	made []string // names
	mark int
}

// New begins the parcel with the given name. Its files follow.
func (w *Writer) New(name string) error {
	if !parcelName.MatchString(name) {
		return fmt.Errorf("%q is no name of a parcel", name)
	}
	w.made = append(w.made, name)
	w.mark++
	_, err := fmt.Fprintf(w.out, "commit %s%s\nmark :%d\ncommitter %s\ndata %d\n%s\n",
		parcelRefs, name, w.mark, parcelAuthor, len(parcelMessage), parcelMessage)
	return err
}

// Write adds a file to the parcel that was begun last.
func (w *Writer) Write(name string, content []byte) error {
	if err := w.file(name, "inline"); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w.out, "data %d\n", len(content)); err != nil {
		return err
	}
	if _, err := w.out.Write(content); err != nil {
		return err
	}
	return w.out.WriteByte('\n')
}

// Add adds a file of another parcel, whose content is here.
func (w *Writer) Add(f File) error {
	if !git.IsObjectName(f.Blob) {
		return fmt.Errorf("%q is no object name", f.Blob)
	}
	return w.file(f.Name, f.Blob)
}

func (w *Writer) file(name, content string) error {
	if !fileName.MatchString(name) {
		return fmt.Errorf("%q is no name of a file in a parcel", name)
	}
	_, err := fmt.Fprintf(w.out, "M 100644 %s %s\n", content, name)
	return err
}

// done ends the stream, and asks for the names of the commits that it made. Without its
// last line git would take half a stream for a whole one.
func (w *Writer) done() error {
	for mark := range w.mark {
		if _, err := fmt.Fprintf(w.out, "get-mark :%d\n", mark+1); err != nil {
			return err
		}
	}
	if _, err := w.out.WriteString("done\n"); err != nil {
		return err
	}
	return w.out.Flush()
}

// Write makes the parcels that fill writes and keeps them in this clone, by one
// git for all. An error of fill is returned as it is, and nothing was made.
//
// A reference of the same name that is another commit is left alone: the parcel is
// there by its commit, which can be pushed, and is not kept.
func (c *Clone) Write(ctx context.Context, fill func(*Writer) error) ([]Parcel, error) {
	in, feed := io.Pipe()
	w := &Writer{out: bufio.NewWriterSize(feed, 64<<10)}
	filled := make(chan error, 1)
	go func() {
		_, err := w.out.WriteString("feature done\n")
		if err == nil {
			if err = fill(w); err == nil {
				err = w.done()
			}
		}
		_ = feed.CloseWithError(err)
		filled <- err
	}()
	var out bytes.Buffer
	// On the disk before a reference names them: the database may be newer than them,
	// a reference to what a power cut took would be a damaged repository.
	call := git.Call{Dir: c.repo.Root(), Stdin: in, Config: durable, Lock: c.lock.Load(), Args: []string{"fast-import", "--quiet"}}
	gitErr := git.Run(ctx, call, &out)
	_ = in.Close() // fill must not wait for a git that is gone
	fillErr := <-filled
	if gitErr != nil {
		c.removeCrashReports()
	}
	if fillErr != nil && !errors.Is(fillErr, io.ErrClosedPipe) {
		return nil, fillErr
	}
	made, err := w.commits(out.String())
	if err != nil && gitErr == nil {
		gitErr = err
	}
	if gitErr != nil && (err != nil || !strings.Contains(git.Stderr(gitErr), "new tip")) {
		return nil, fmt.Errorf("write parcels into %s: %w", c.repo.Root(), gitErr)
	}
	return made, nil
}

// durable are the settings under which what git writes is on the disk when it ends.
var durable = []string{"-c", "core.fsync=objects,reference"}

func (w *Writer) commits(answer string) ([]Parcel, error) {
	shas := strings.Fields(answer)
	if len(shas) != len(w.made) {
		return nil, fmt.Errorf("unexpected answer of git fast-import: %.200q", answer)
	}
	made := make([]Parcel, len(shas))
	for i, sha := range shas {
		if !git.IsObjectName(sha) {
			return nil, fmt.Errorf("unexpected answer of git fast-import: %.200q", answer)
		}
		made[i] = Parcel{w.made[i], sha}
	}
	return made, nil
}

// removeCrashReports removes what git fast-import, told to stop, left in the git
// directory: its report names this process as its parent.
func (c *Clone) removeCrashReports() {
	reports, err := filepath.Glob(filepath.Join(c.repo.GitDir(), "fast_import_crash_*"))
	if err != nil {
		return // of a path that no file can have
	}
	ours := regexp.MustCompile(fmt.Sprintf(`(?m)^ *parent process *: %d$`, os.Getpid()))
	for _, name := range reports {
		if text, err := os.ReadFile(name); err == nil && ours.Match(text) {
			_ = os.Remove(name) // it says nothing that the error does not
		}
	}
}
