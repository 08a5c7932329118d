package gitrepo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/git"
)

// Tags returns the names of the tags by the commits that they name. Names are free text from
// the repository.
func (r *Repo) Tags(ctx context.Context) (map[string][]string, error) {
	// Not for-each-ref, which follows a tag of a tag by one step only in older versions of git.
	out, err := r.git(ctx, "show-ref", "--tags", "--dereference")
	if err != nil && git.ExitCode(err) != 1 { // 1: there is none
		return nil, fmt.Errorf("list tags: %w", err)
	}
	objects := map[string]string{} // by name; what an annotated tag names comes behind the tag itself
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
