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

// parcelMessage and parcelAuthor are part of every parcel's commit. The name in the message gives
// parcels with different names different commits.
const (
	parcelMessage = "perftrack parcel, format 1\n\n%s\n"
	parcelAuthor  = "perftrack <perftrack> 0 +0000" // the date in 1970 sorts parcels to the end of git log --all
)

// A Writer adds files to a parcel. They do not exist until [Clone.Write] returns.
type Writer struct {
	out   *bufio.Writer
	files []File // with object names, or marks of git fast-import such as :1
}

// Write adds a file.
func (w *Writer) Write(name string, content []byte) error {
	mark := fmt.Sprintf(":%d", len(w.files)+1)
	if err := w.file(name, mark); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w.out, "blob\nmark %s\ndata %d\n", mark, len(content)); err != nil {
		return err
	}
	if _, err := w.out.Write(content); err != nil {
		return err
	}
	return w.out.WriteByte('\n')
}

// Add adds a file from another parcel. The file's content must be in this clone.
func (w *Writer) Add(f File) error {
	if !git.IsObjectName(f.Blob) {
		return fmt.Errorf("%q is not an object name", f.Blob)
	}
	return w.file(f.Name, f.Blob)
}

func (w *Writer) file(name, content string) error {
	if !fileName.MatchString(name) {
		return fmt.Errorf("%q is not a file name in a parcel", name)
	}
	w.files = append(w.files, File{name, content})
	return nil
}

// commit ends the stream with the commit, and requests its object name. The last line lets git
// detect an incomplete stream. If there are no files, there is no commit.
func (w *Writer) commit(name string, parents []Parcel) error {
	if len(w.files)+len(parents) > 0 {
		message := fmt.Sprintf(parcelMessage, name)
		fmt.Fprintf(w.out, "commit %s%s\nmark :%d\ncommitter %s\ndata %d\n%s\n",
			parcelRefs, name, len(w.files)+1, parcelAuthor, len(message), message)
		for i, p := range parents {
			fmt.Fprintf(w.out, "%s %s\n", []string{"from", "merge"}[min(i, 1)], p.Commit)
		}
		for _, f := range w.files {
			fmt.Fprintf(w.out, "M 100644 %s %s\n", f.Blob, f.Name)
		}
		fmt.Fprintf(w.out, "get-mark :%d\n", len(w.files)+1)
	}
	_, _ = w.out.WriteString("done\n")
	return w.out.Flush() // also returns the errors of the calls above
}

// Write makes a parcel of the files that fill adds, and stores it in this clone, in a single git
// process. fill returns its name. If fill returns an error, Write returns it unchanged and makes
// nothing. If there is no file, Write makes nothing and returns no commit.
//
// The parcel includes its parents, parcels in this clone. A clone or a remote that has them is then
// sent only the other files. The parcel inherits the files of the first parent, which is much
// faster than adding many files. fill has to add the files of the other parents.
//
// If a reference with the same name already points to another commit, the reference is left alone.
// The new parcel then has no reference, but can be pushed by its commit.
func (c *Clone) Write(ctx context.Context, parents []Parcel, fill func(*Writer) (name string, err error)) (made Parcel, err error) {
	in, feed := io.Pipe()
	w := &Writer{out: bufio.NewWriterSize(feed, 64<<10)}
	filled := make(chan error, 1)
	go func() {
		err := w.fill(&made, parents, fill)
		_ = feed.CloseWithError(err)
		filled <- err
	}()
	var out bytes.Buffer
	// Objects must be on disk before a reference names them. Otherwise a power failure could lose
	// an object that has a reference, which would damage the repository, and the database might be
	// newer than the objects.
	call := git.Call{Dir: c.repo.Root(), Stdin: in, Config: durable, Lock: c.lock.Load(), Args: []string{"fast-import", "--quiet"}}
	gitErr := git.Run(ctx, call, &out)
	_ = in.Close() // do not let fill wait for a git process that has ended
	fillErr := <-filled
	if gitErr != nil {
		c.removeCrashReports()
	}
	if fillErr != nil && !errors.Is(fillErr, io.ErrClosedPipe) {
		return Parcel{}, fillErr
	}
	made.Commit = strings.TrimSpace(out.String())
	switch {
	case gitErr == nil && (made.Valid() || len(w.files)+len(parents) == 0 && made.Commit == ""):
		return made, nil
	case gitErr == nil:
		gitErr = fmt.Errorf("unexpected output from git fast-import: %.200q", made.Commit)
	case made.Valid() && strings.Contains(git.Stderr(gitErr), "new tip"):
		return made, nil
	}
	return Parcel{}, fmt.Errorf("write parcel into %s: %w", c.repo.Root(), gitErr)
}

// fill passes a parcel to git.
func (w *Writer) fill(made *Parcel, parents []Parcel, fill func(*Writer) (name string, err error)) error {
	if _, err := w.out.WriteString("feature done\n"); err != nil {
		return err
	}
	name, err := fill(w)
	if err != nil {
		return err
	}
	if !parcelName.MatchString(name) {
		return fmt.Errorf("%q is no name of a parcel", name)
	}
	made.Name = name
	return w.commit(name, parents)
}

// durable contains settings that make git flush its output to disk before it ends.
var durable = []string{"-c", "core.fsync=objects,reference"}

// removeCrashReports removes the crash reports of git fast-import from the git directory, if they
// name this process as the parent.
func (c *Clone) removeCrashReports() {
	reports, err := filepath.Glob(filepath.Join(c.repo.GitDir(), "fast_import_crash_*"))
	if err != nil {
		return // cannot happen: the pattern is valid
	}
	ours := regexp.MustCompile(fmt.Sprintf(`(?m)^ *parent process *: %d$`, os.Getpid()))
	for _, name := range reports {
		if text, err := os.ReadFile(name); err == nil && ours.Match(text) {
			_ = os.Remove(name) // the report adds nothing to the error
		}
	}
}
