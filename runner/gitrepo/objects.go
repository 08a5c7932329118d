package gitrepo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// stream runs c and hands its standard output to read while git is writing it. Output
// that ends too early is an io.ErrUnexpectedEOF of read, and then git's own error counts.
func stream(ctx context.Context, c call, read func(*bufio.Reader) error) error {
	reader, writer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := run(ctx, c, writer)
		_ = writer.Close()
		done <- err
	}()
	readErr := read(bufio.NewReaderSize(reader, 64<<10))
	_ = reader.Close() // a git that is still writing ends by a broken pipe
	gitErr := <-done
	if gitErr != nil && (readErr == nil || errors.Is(readErr, io.ErrUnexpectedEOF)) {
		return gitErr
	}
	return readErr
}

// An object is one answer of git cat-file --batch.
type object struct {
	kind    string // commit, blob, ...; "missing" for one that this clone does not have; "dangling", ... for a link that leads nowhere
	size    int64
	content io.Reader
}

// objects reads the objects with the given names, in their order, by one git. The
// content can be read until read returns, and need not be; an error of read ends it.
func (r *Repo) objects(ctx context.Context, names []string, read func(i int, o object) error) error {
	if len(names) == 0 {
		return nil
	}
	c := call{dir: r.root, args: []string{"cat-file", "--batch", "--follow-symlinks"}, stdin: strings.NewReader(strings.Join(names, "\n") + "\n")}
	return stream(ctx, c, func(out *bufio.Reader) error {
		for i := range names {
			o, err := answer(out)
			if err != nil {
				return err
			}
			content := &exactly{r: out, left: o.size}
			o.content = content
			if err := read(i, o); err != nil {
				return err
			}
			if o.kind == missing {
				continue
			}
			if _, err := io.Copy(io.Discard, content); err != nil {
				return err
			}
			if _, err := out.Discard(1); err != nil { // the line break behind the content
				return noEOF(err)
			}
		}
		return nil
	})
}

const missing = "missing"

// answer reads the line before an object's content: name, kind and size.
func answer(out *bufio.Reader) (object, error) {
	line, err := out.ReadString('\n')
	if err != nil {
		return object{}, noEOF(err)
	}
	if strings.HasSuffix(line, " "+missing+"\n") { // behind the name, which may have spaces
		return object{kind: missing}, nil
	}
	f := strings.Fields(line)
	if len(f) == 3 {
		f = f[1:] // behind the hash; a link that leads nowhere has none
	}
	if len(f) == 2 {
		if size, err := strconv.ParseInt(f[1], 10, 64); err == nil && size >= 0 {
			return object{kind: f[0], size: size}, nil
		}
	}
	return object{}, fmt.Errorf("unexpected answer of git cat-file: %.200q", line)
}

// exactly reads so many bytes. An end before that is an error: a git that was stopped
// must not make half a file look like a whole one.
type exactly struct {
	r    io.Reader
	left int64
}

func (e *exactly) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	return n, noEOF(err)
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
