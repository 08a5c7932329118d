package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

const pageName = "index.html"

// A manifest lists the files of a written site.
type manifest struct {
	Site  string   `json:"site"` // always manifestOf
	Files []string `json:"files"`
}

// manifestOf identifies the manifest of a site written by perftrack.
const manifestOf = "perftrack"

// readManifest returns the files of the site in a folder.
func readManifest(root *os.Root) ([]string, error) {
	text, err := root.ReadFile(manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("the folder contains other files")
	}
	var m manifest
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", manifestName, err)
	}
	if m.Site != manifestOf {
		return nil, fmt.Errorf("%s was not written by perftrack", manifestName)
	}
	for _, f := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(f)) {
			return nil, fmt.Errorf("%s lists %q, which is not a file of a site", manifestName, f)
		}
	}
	return m.Files, nil
}

func writeManifest(root *os.Root, files []string) error {
	slices.Sort(files)
	text, err := json.MarshalIndent(manifest{manifestOf, slices.Compact(files)}, "", " ")
	if err != nil {
		return err
	}
	const unfinished = manifestName + ".new"
	if err := root.WriteFile(unfinished, append(text, '\n'), 0o666); err != nil {
		return err
	}
	return root.Rename(unfinished, manifestName)
}

// install moves the files from the staging folder to their places, and deletes the files in old
// that the new site lacks. It deletes the page first and moves the new one last, so an incomplete
// site cannot be opened.
func install(root *os.Root, staging string, files, old []string) error {
	known, now := set(old), set(files)
	for _, f := range files {
		if _, err := root.Lstat(f); err == nil && !known[f] {
			return fmt.Errorf("%s already exists and was not written by perftrack", f)
		}
	}
	if err := writeManifest(root, slices.Concat(files, old)); err != nil {
		return err
	}
	if err := remove(root, pageName); err != nil {
		return err
	}
	for _, f := range files {
		if f == pageName {
			continue
		}
		if err := move(root, staging, f); err != nil {
			return err
		}
	}
	if err := move(root, staging, pageName); err != nil {
		return err
	}
	for _, f := range old {
		if !now[f] {
			if err := remove(root, f); err != nil {
				return err
			}
			_ = root.Remove(path.Dir(f)) // fails unless the folder is empty
		}
	}
	return writeManifest(root, slices.Clone(files))
}

func set(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, v := range list {
		m[v] = true
	}
	return m
}

func move(root *os.Root, staging, name string) error {
	if err := root.MkdirAll(path.Dir(name), 0o777); err != nil {
		return err
	}
	return root.Rename(path.Join(staging, name), name)
}

func remove(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
