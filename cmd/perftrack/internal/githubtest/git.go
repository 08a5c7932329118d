package githubtest

import (
	"errors"
	"net/http"
	"os/exec"
	"strings"
)

// answerFromGit answers a request from the git repository and reports whether it could.
func (f *Fake) answerFromGit(w http.ResponseWriter, r *http.Request, part []string) bool {
	switch {
	case part[0] == "contents" && len(part) == 2:
		text, ok := f.git("cat-file", "blob", r.URL.Query().Get("ref")+":"+part[1])
		if !ok {
			return false
		}
		_, _ = w.Write([]byte(text))
	case part[0] == "compare" && len(part) == 2:
		base, head, _ := strings.Cut(part[1], "...")
		at, ok := f.git("merge-base", base, head)
		if !ok {
			return false
		}
		files, _ := f.git("diff", "--name-only", base+"..."+head)
		f.json(w, 200, map[string]any{"merge_base_commit": map[string]string{"sha": strings.TrimSpace(at)}, "files": filesOf(strings.Fields(files))})
	case part[0] != "git" || len(part) < 3:
		return false
	case part[1] == "commits":
		message, ok := f.git("show", "-s", "--format=%B", part[2])
		if !ok {
			return false
		}
		author, _ := f.git("show", "-s", "--format=%an", part[2])
		tree, _ := f.git("show", "-s", "--format=%T", part[2])
		f.json(w, 200, map[string]any{"message": message, "author": map[string]string{"name": strings.TrimSpace(author)}, "tree": map[string]string{"sha": strings.TrimSpace(tree)}})
	case part[1] == "ref":
		tip, ok := f.git("rev-parse", "--verify", "--quiet", "refs/"+strings.Join(part[2:], "/"))
		if !ok {
			http.NotFound(w, r)
			return true
		}
		f.json(w, 200, map[string]any{"object": map[string]string{"sha": strings.TrimSpace(tip)}})
	case part[1] == "matching-refs":
		f.refs(w, r, "refs/"+strings.Join(part[2:], "/"))
	case part[1] == "trees":
		f.tree(w, part[2])
	case part[1] == "blobs":
		text, ok := f.git("cat-file", "blob", part[2])
		if !ok {
			http.NotFound(w, r)
			return true
		}
		if r.Header.Get("Accept") != "application/vnd.github.raw+json" {
			f.t.Error("a request for a blob in base64")
		}
		_, _ = w.Write([]byte(text))
	default:
		return false
	}
	return true
}

// refs answers with the references beginning with prefix.
func (f *Fake) refs(w http.ResponseWriter, r *http.Request, prefix string) {
	list := []map[string]any{}
	out, _ := f.git("for-each-ref", "--format=%(refname) %(objecttype) %(objectname)")
	for line := range strings.Lines(out) {
		field := strings.Fields(line)
		if strings.HasPrefix(field[0], prefix) {
			list = append(list, map[string]any{"ref": field[0], "object": map[string]string{"type": field[1], "sha": field[2]}})
		}
	}
	f.page(w, r, list)
}

func (f *Fake) tree(w http.ResponseWriter, sha string) {
	list := []map[string]string{}
	out, ok := f.git("ls-tree", sha)
	if !ok {
		f.json(w, 404, map[string]string{"message": "Not Found"})
		return
	}
	for line := range strings.Lines(out) {
		entry, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		field := strings.Fields(entry)
		list = append(list, map[string]string{"path": path, "mode": field[0], "type": field[1], "sha": field[2]})
	}
	f.json(w, 200, map[string]any{"sha": sha, "tree": list, "truncated": false})
}

// commitsOf returns the commits in a pull request. Like GitHub, it returns at most 250.
func (f *Fake) commitsOf(number string) (list []map[string]string) {
	commits := f.Commits
	if p := f.pull(number); f.Git != "" && p != nil {
		if out, ok := f.git("rev-list", "--reverse", sha(p, "base")+".."+sha(p, "head")); ok {
			commits = strings.Fields(out)
		}
	}
	for _, sha := range commits[:min(len(commits), 250)] {
		list = append(list, map[string]string{"sha": sha})
	}
	return list
}

// git runs git in the repository; ok is false if git fails.
func (f *Fake) git(args ...string) (out string, ok bool) {
	cmd := exec.CommandContext(f.t.Context(), "git", args...)
	cmd.Dir = f.Git
	text, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		f.t.Error(err)
	}
	return string(text), err == nil
}
