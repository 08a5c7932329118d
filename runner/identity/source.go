package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// tokens writes Go source as the compiler reads it, with one token per line. It leaves out
// comments, and commas and semicolons needed only because of line breaks.
func tokens(w io.Writer, source []byte) {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(source)), source, nil, 0)
	var held token.Token // a separator; dropped if a closing bracket follows
	for {
		_, tok, literal := s.Scan()
		switch tok {
		case token.EOF:
			return
		case token.COMMA, token.SEMICOLON:
			held = tok
			continue
		case token.RPAREN, token.RBRACE, token.RBRACK:
			held = 0
		}
		if held != 0 {
			fmt.Fprintln(w, held)
			held = 0
		}
		fmt.Fprintf(w, "%s %q\n", tok, literal)
	}
}

// Limits for TreeHash. Reading larger trees would take more time than leaving out a measurement
// saves.
const (
	maxTreeFiles = 10_000
	maxTreeBytes = 256 << 20
)

// TreeHash returns a hash of the files below a directory, as 64 hex digits. It covers their names,
// contents and executable bits. A missing directory has the same hash as an empty one. For links to
// files in the tree, it covers the text of the link. A link out of the tree, a device, or a tree
// with more than 10,000 files or 256 MiB is an error, and the caller must then assume a difference.
func TreeHash(dir string) (string, error) {
	t := tree{root: dir, maxFiles: maxTreeFiles, maxBytes: maxTreeBytes}
	return t.hash()
}

// A tree is a directory being hashed.
type tree struct {
	root               string
	maxFiles, maxBytes int64
	files, bytes       int64
}

func (t *tree) hash() (string, error) {
	dir, sum := t.root, sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if path == dir && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return t.add(sum, path, d)
	})
	if err != nil {
		return "", fmt.Errorf("identify the files in %s: %w", dir, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (t *tree) add(sum io.Writer, path string, d fs.DirEntry) error {
	name, err := filepath.Rel(t.root, path)
	if err != nil {
		return err
	}
	if t.files++; t.files > t.maxFiles {
		return fmt.Errorf("more than %d files", t.maxFiles)
	}
	switch {
	case d.IsDir():
		return nil // git does not store empty directories either
	case d.Type()&fs.ModeSymlink != 0:
		return t.addLink(sum, path, name)
	case d.Type().IsRegular():
		return t.addFile(sum, path, name)
	}
	return fmt.Errorf("%s is neither a file nor a directory", name)
}

// addLink adds the text of a link. The target must be in the tree, where it is added separately.
func (t *tree) addLink(sum io.Writer, path, name string) error {
	text, err := os.Readlink(path)
	if err != nil {
		return err
	}
	above, err := filepath.EvalSymlinks(filepath.Dir(t.root))
	if err != nil {
		return err
	}
	// A dangling or circular link cannot be read, so it is harmless.
	if to, err := filepath.EvalSymlinks(path); err == nil {
		inside, err := filepath.Rel(filepath.Join(above, filepath.Base(t.root)), to)
		if err != nil || !filepath.IsLocal(inside) {
			return fmt.Errorf("the link %s leads outside the directory", name)
		}
	}
	fmt.Fprintf(sum, "link %q %q\n", filepath.ToSlash(name), text)
	return nil
}

func (t *tree) addFile(sum io.Writer, path, name string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(sum, "file %q %d %t\n", filepath.ToSlash(name), info.Size(), info.Mode()&0o111 != 0)
	n, err := io.Copy(sum, io.LimitReader(f, t.maxBytes-t.bytes+1))
	if t.bytes += n; t.bytes > t.maxBytes {
		return fmt.Errorf("more than %d bytes", t.maxBytes)
	}
	if err == nil && n != info.Size() {
		err = fmt.Errorf("%s changed while it was being read", name)
	}
	return err
}
