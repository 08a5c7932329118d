package gitrepo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// Tags returns the names of the tags, keyed by commit. Names are untrusted text from the
// repository.
func (r *Repo) Tags(ctx context.Context) (map[string][]string, error) {
	// for-each-ref cannot be used, because older versions of git dereference a tag that points to a
	// tag only once.
	out, err := r.git(ctx, "show-ref", "--tags", "--dereference")
	if err != nil && git.ExitCode(err) != 1 { // exit status 1 means no tags
		return nil, fmt.Errorf("list tags: %w", err)
	}
	objects := map[string]string{} // by name; the commit of an annotated tag comes after the tag object and replaces it
	for line := range strings.Lines(string(out)) {
		object, ref, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		name, _ := strings.CutSuffix(strings.TrimPrefix(ref, "refs/tags/"), "^{}")
		objects[name] = object
	}
	tags := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		tags[objects[name]] = append(tags[objects[name]], name)
	}
	return tags, nil
}
