package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// stream runs c and passes its standard output to read while git is still writing. If the output
// ends too early, read returns io.ErrUnexpectedEOF, and git's own error takes precedence.
func stream(ctx context.Context, c Call, read func(*bufio.Reader) error) error {
	reader, writer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := Run(ctx, c, writer)
		_ = writer.Close()
		done <- err
	}()
	readErr := read(bufio.NewReaderSize(reader, 64<<10))
	_ = reader.Close() // if git is still writing, it ends with a broken pipe
	gitErr := <-done
	if gitErr != nil && (readErr == nil || errors.Is(readErr, io.ErrUnexpectedEOF)) {
		return gitErr
	}
	return readErr
}

// Records runs c and calls read for each record in its standard output, without the terminating
// byte end. It stops if read returns an error.
func Records(ctx context.Context, c Call, end byte, read func(record string) error) error {
	return stream(ctx, c, func(out *bufio.Reader) error {
		for {
			record, err := out.ReadString(end)
			if errors.Is(err, io.EOF) && record == "" {
				return nil
			}
			if err != nil {
				return noEOF(err)
			}
			if err := read(record[:len(record)-1]); err != nil {
				return err
			}
		}
	})
}

// An Object is one response of git cat-file --batch.
type Object struct {
	Kind    string // commit, blob, ...; Missing; or "dangling", ... for a broken link
	Size    int64
	Content io.Reader
}

// Objects reads the objects with the given names from the repository around dir, in order and in a
// single git process. read need not consume the content; it is valid until read returns. Objects
// stops if read returns an error.
func Objects(ctx context.Context, dir string, names []string, read func(i int, o Object) error) error {
	if len(names) == 0 {
		return nil
	}
	c := Call{Dir: dir, Args: []string{"cat-file", "--batch", "--follow-symlinks"}, Stdin: strings.NewReader(strings.Join(names, "\n") + "\n")}
	return stream(ctx, c, func(out *bufio.Reader) error {
		for i := range names {
			o, err := answer(out)
			if err != nil {
				return err
			}
			content := &exactly{out, o.Size}
			o.Content = content
			if err := read(i, o); err != nil {
				return err
			}
			if o.Kind == Missing {
				continue
			}
			if _, err := io.Copy(io.Discard, content); err != nil {
				return err
			}
			if _, err := out.Discard(1); err != nil { // the newline after the content
				return noEOF(err)
			}
		}
		return nil
	})
}

// Sizes returns the sizes in bytes of the objects with the given names in the repository around
// dir, in the same order. The size of a missing object is -1.
func Sizes(ctx context.Context, dir string, names []string) ([]int64, error) {
	if len(names) == 0 {
		return nil, nil
	}
	sizes := make([]int64, len(names))
	c := Call{Dir: dir, Args: []string{"cat-file", "--batch-check"}, Stdin: strings.NewReader(strings.Join(names, "\n") + "\n")}
	err := stream(ctx, c, func(out *bufio.Reader) error {
		for i := range names {
			o, err := answer(out)
			if err != nil {
				return err
			}
			if sizes[i] = o.Size; o.Kind == Missing {
				sizes[i] = -1
			}
		}
		return nil
	})
	return sizes, err
}

// Missing is the kind of a missing object.
const Missing = "missing"

// answer reads the line before an object's content, which states the object's name, kind and size.
func answer(out *bufio.Reader) (Object, error) {
	line, err := out.ReadString('\n')
	if err != nil {
		return Object{}, noEOF(err)
	}
	if strings.HasSuffix(line, " "+Missing+"\n") { // follows the name; names may contain spaces
		return Object{Kind: Missing}, nil
	}
	f := strings.Fields(line)
	if len(f) == 3 {
		f = f[1:] // skip the hash; a broken link has no hash
	}
	if len(f) == 2 {
		if size, err := strconv.ParseInt(f[1], 10, 64); err == nil && size >= 0 {
			return Object{Kind: f[0], Size: size}, nil
		}
	}
	return Object{}, fmt.Errorf("unexpected output from git cat-file: %.200q", line)
}

// exactly reads a fixed number of bytes. An earlier end of the input is an error, so part of a file
// from a stopped git process is not mistaken for a whole file.
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

// IsObjectName reports whether s is a full SHA-1 or SHA-256 object name.
func IsObjectName(s string) bool {
	return (len(s) == 40 || len(s) == 64) && IsHex(s)
}

// IsHex reports whether s consists of lower-case hex digits.
func IsHex(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == ""
}
