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

// tokens writes Go source as what the compiler sees of it, one token a line:
// without comments, and without the commas and semicolons that only the layout
// of the lines demands.
func tokens(w io.Writer, source []byte) {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(source)), source, nil, 0)
	var held token.Token // a separator that counts unless a bracket closes behind it
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

// Bounds of TreeHash. What is larger is not worth reading to save a few rounds.
const (
	maxTreeFiles = 10_000
	maxTreeBytes = 256 << 20
)

// TreeHash identifies the files below a directory by their names, contents and
// executable bits: 64 hex digits. A directory that does not exist has the hash
// of an empty one. Links inside of the tree count by where they point to;
// one that leads out of it, a device and a tree of more than 10,000 files or
// 256 MiB are errors: whoever asks has to take such trees for different.
func TreeHash(dir string) (string, error) {
	t := tree{root: dir, maxFiles: maxTreeFiles, maxBytes: maxTreeBytes}
	return t.hash()
}

// A tree is the files below a directory while they are read.
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
		return nil // git has no empty directories either
	case d.Type()&fs.ModeSymlink != 0:
		return t.addLink(sum, path, name)
	case d.Type().IsRegular():
		return t.addFile(sum, path, name)
	}
	return fmt.Errorf("%s is neither a file nor a directory", name)
}

// addLink counts a link by its text. What it leads to is counted where it is,
// which has to be in the tree.
func (t *tree) addLink(sum io.Writer, path, name string) error {
	text, err := os.Readlink(path)
	if err != nil {
		return err
	}
	above, err := filepath.EvalSymlinks(filepath.Dir(t.root))
	if err != nil {
		return err
	}
	// A link that leads nowhere, or around in a circle, cannot be read at all.
	if to, err := filepath.EvalSymlinks(path); err == nil {
		inside, err := filepath.Rel(filepath.Join(above, filepath.Base(t.root)), to)
		if err != nil || !filepath.IsLocal(inside) {
			return fmt.Errorf("the link %s leads out of it", name)
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
		err = fmt.Errorf("%s changes while it is read", name)
	}
	return err
}
