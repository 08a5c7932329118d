package githubtest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Run adds a workflow run, given by the fields in GitHub's API, or replaces the run with the same
// id.
func (f *Fake) Run(run map[string]any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.runs, func(r map[string]any) bool { return fmt.Sprint(r["id"]) == fmt.Sprint(run["id"]) })
	if i < 0 {
		f.runs = append(f.runs, run)
		return
	}
	f.runs[i] = run
}

// answerRuns answers requests for workflow runs and artifacts.
func (f *Fake) answerRuns(w http.ResponseWriter, r *http.Request, part []string) {
	switch {
	case len(part) == 3 && part[1] == "runs":
		for _, run := range f.runs {
			if fmt.Sprint(run["id"]) == part[2] {
				f.json(w, 200, run)
				return
			}
		}
		f.json(w, 404, map[string]string{"message": "Not Found"})
	case len(part) == 4 && part[1] == "workflows":
		list := []map[string]any{}
		for _, run := range slices.Backward(f.runs) {
			asked := r.URL.Query()
			of := func(field, query string) bool { return !asked.Has(query) || run[field] == asked.Get(query) }
			if (fmt.Sprint(run["workflow_id"]) == part[2] || run["path"] == ".github/workflows/"+part[2]) && of("head_sha", "head_sha") && of("head_branch", "branch") {
				list = append(list, run)
			}
		}
		f.json(w, 200, map[string]any{"workflow_runs": list})
	case len(part) == 4 && part[3] == "artifacts":
		list := []map[string]any{{"id": 99, "name": "other"}}
		if zip, own := f.Zips[part[2]]; zip != nil || f.Zip != nil && !own {
			if !own {
				zip = f.Zip
			}
			list = append(list, map[string]any{"id": f.artifactOf(part[2]), "name": f.nameOf(part[2]), "expired": f.Expired, "size_in_bytes": len(zip)})
		}
		for i, name := range slices.Sorted(maps.Keys(f.Parts)) {
			list = append(list, map[string]any{"id": firstPart + i, "name": name, "expired": f.Expired || f.ExpiredParts, "size_in_bytes": len(f.Parts[name])})
		}
		f.json(w, 200, map[string]any{"artifacts": list})
	case len(part) == 4 && part[1] == "artifacts" && part[3] == "zip":
		http.Redirect(w, r, f.blobs.URL+"/"+part[2]+"?sig=x", http.StatusFound)
	default:
		http.NotFound(w, r)
	}
}

// firstPart is the id of the first artifact in [Fake.Parts].
const firstPart = 90000000

// artifactOf returns the id of a run's artifact: 55000 plus the id of the run.
func (f *Fake) artifactOf(run string) int {
	var n int
	_, _ = fmt.Sscan(run, &n)
	return 55000 + n
}

// nameOf returns the name of a run's artifact, a history or a trial.
func (f *Fake) nameOf(run string) string {
	for _, r := range f.runs {
		if fmt.Sprint(r["id"]) == run && r["path"] == HistoryWorkflow {
			return "perftrack-history"
		}
	}
	return f.Artifact
}

// HistoryWorkflow is the path of the history workflow's file.
const HistoryWorkflow = ".github/workflows/perftrack-history.yml"

// archive returns the content of the artifact at path.
func (f *Fake) archive(path string) []byte {
	var id int
	_, _ = fmt.Sscanf(path, "/%d", &id)
	if names := slices.Sorted(maps.Keys(f.Parts)); id >= firstPart && id < firstPart+len(names) {
		return f.Parts[names[id-firstPart]]
	}
	if zip, own := f.Zips[fmt.Sprint(id-55000)]; own {
		return zip
	}
	return f.Zip
}

// checkRuns answers with the jobs of the given name for a head.
func (f *Fake) checkRuns(w http.ResponseWriter, name string) {
	list := []map[string]any{}
	for i, check := range f.Checks {
		if check == name {
			list = append(list, map[string]any{"id": i + 1, "name": check, "status": "completed", "conclusion": "success", "app": map[string]string{"slug": "github-actions"}})
		}
	}
	f.json(w, 200, map[string]any{"total_count": len(list), "check_runs": list})
}

// setStatus adds a status for a commit, with the current time.
func (f *Fake) setStatus(sha string, status map[string]string) {
	status["sha"], status["created_at"], status["creator"] = sha, f.clock(), fmt.Sprint(f.Me)
	f.Statuses = append(f.Statuses, status)
}

// statusesOf returns a commit's statuses, newest first.
func (f *Fake) statusesOf(sha string) []map[string]any {
	list := []map[string]any{}
	for _, s := range slices.Backward(f.Statuses) {
		if s["sha"] == sha {
			list = append(list, f.statusAnswer(s))
		}
	}
	return list
}

// statusAnswer returns the API's representation of a status. If the status has no creator, it
// belongs to the token's user.
func (f *Fake) statusAnswer(s map[string]string) map[string]any {
	creator, err := strconv.ParseInt(s["creator"], 10, 64)
	if err != nil {
		creator = f.Me
	}
	created := s["created_at"]
	if created == "" {
		created = "2026-01-01T00:00:00Z"
	}
	return map[string]any{
		"state": s["state"], "context": s["context"], "description": s["description"], "target_url": s["target_url"],
		"created_at": created, "creator": map[string]any{"id": creator},
	}
}

// clock returns GitHub's time. It advances by a minute at each call.
func (f *Fake) clock() string {
	f.minutes++
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(f.minutes) * time.Minute).Format(time.RFC3339)
}
