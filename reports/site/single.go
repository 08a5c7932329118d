package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/perftrack/perftrack/reports/site/documents"
)

// maxSingle is the maximum size of a single-file page in bytes. Browsers are slow to open larger
// files, and forges do not accept them.
const maxSingle = 32 << 20

// A TooLargeError reports a site too large for a single file.
type TooLargeError struct{ Bytes, Most int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the page exceeds %d MB (%d MB so far): write a folder with -o DIR, or write less, such as the newest 100 commits with --last 100 or some packages with --package PATH", e.Most>>20, e.Bytes>>20)
}

// WriteSingle writes the site as a single, self-contained file. It leaves out flame graphs, because
// they are separate pages. It replaces an existing file atomically, but only if it is empty or a
// page written by perftrack.
func WriteSingle(ctx context.Context, name string, s documents.Source, progress Progress) error {
	err := replaceable(name)
	if err == nil {
		var page []byte
		if page, err = single(ctx, s, progress, maxSingle); err == nil {
			err = replace(name, page)
		}
	}
	if err != nil {
		return fmt.Errorf("write the page %s: %w", name, err)
	}
	return nil
}

// generator identifies a page written by perftrack. It is near the beginning of the page.
const generator = `<meta name="generator" content="perftrack">`

// replaceable returns an error for an existing file with this name, unless it is empty or a page
// written by perftrack.
func replaceable(name string) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("it exists and is not a regular file: name another file")
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	head, err := io.ReadAll(io.LimitReader(f, 1024))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if len(head) > 0 && !bytes.Contains(head, []byte(generator)) {
		return errors.New("it exists and was not written by perftrack: move it, or name another file")
	}
	return nil
}

// replace writes text to a temporary file and then renames it, so that the file is replaced
// atomically.
func replace(name string, text []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".perftrack-*.html")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// single returns the page with its styles, scripts and documents inside. Its
// Content-Security-Policy has their hashes, so that nothing else can run.
func single(ctx context.Context, s documents.Source, progress Progress, most int) ([]byte, error) {
	page := newPage()
	data, err := allData(ctx, s, progress, most)
	if err != nil {
		return nil, err
	}
	page.Single, page.Data = true, &asset{Path: "the data", Code: append([]byte(early), data...)}
	styles, scripts := page.assets()
	styleHashes, err := policyHashes("style", styles)
	if err != nil {
		return nil, err
	}
	scriptHashes, err := policyHashes("script", scripts)
	if err != nil {
		return nil, err
	}
	return page.write("script-src" + scriptHashes + "; style-src" + styleHashes + "; img-src data:")
}

// allData returns the scripts of all documents, one after the other.
func allData(ctx context.Context, s documents.Source, progress Progress, most int) ([]byte, error) {
	files, err := list(ctx, s)
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !strings.HasPrefix(f.path, "data/") {
			continue
		}
		text, _, err := f.make(ctx)
		if err != nil {
			return nil, err
		}
		if data.Write(text); data.Len() > most {
			return nil, &TooLargeError{data.Len(), most}
		}
		if progress != nil {
			progress(i+1, len(files))
		}
	}
	return data.Bytes(), nil
}

// early collects the documents for js/loader.js, which runs after them.
const early = "perftrack.early=[];perftrack.data=(...all)=>perftrack.early.push(all);\n"

// endOf returns the first string in text that would end the element early or hide its end, or "" if
// there is none.
func endOf(text, element string) string {
	lower := strings.ToLower(text)
	for _, bad := range []string{"</" + element, "<!--", "<script"} {
		if strings.Contains(lower, bad) {
			return bad
		}
	}
	return ""
}

// policyHashes returns the hashes that allow these elements in a Content-Security-Policy, each
// preceded by a space.
func policyHashes(element string, all []*asset) (sources string, err error) {
	for _, a := range all {
		if bad := endOf(string(a.Code), element); bad != "" {
			return "", fmt.Errorf("%s contains %s, which would end its element in the page", a.Path, bad)
		}
		sum := sha256.Sum256(a.Code)
		sources += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return sources, nil
}
