package site

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

// The page, its styles and its scripts.
//
//go:embed static
var assets embed.FS

// Assets returns the files of the site that are no data, by their paths: index.html, and
// what lies below static/, with the scripts in one.
func Assets() (map[string][]byte, error) {
	files, err := sources()
	if err == nil {
		err = bundle(files)
	}
	if err != nil {
		return nil, fmt.Errorf("read the site's own files: %w", err)
	}
	return files, nil
}

// sources are the files as they are written here.
func sources() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(assets, "static", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".md") { // words for who maintains them
			return err
		}
		text, err := assets.ReadFile(path)
		if path == "static/index.html" {
			path = "index.html"
		}
		files[path] = text
		return err
	})
	return files, err
}
