package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// scriptOf returns the path of a script in .github.
func scriptOf(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", ".github", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func writeFile(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// Two builds of one commit in different directories have the same bytes, and are static on Linux.
// With
//
//	PERFTRACK_TORTURE=full go test -run ReproducibleBuild -timeout 30m ./cmd/perftrack
//
// both are built without caches, which takes some minutes.
func TestReproducibleBuild(t *testing.T) {
	full := os.Getenv("PERFTRACK_TORTURE") == "full"
	live(t)
	if runtime.GOOS != "linux" && !full {
		t.Skip("it builds perftrack twice: PERFTRACK_TORTURE=full go test -run ReproducibleBuild -timeout 30m ./cmd/perftrack")
	}
	root := filepath.Dir(filepath.Dir(scriptOf(t, "x")))
	if err := exec.Command("git", "-C", root, "rev-parse", "HEAD").Run(); err != nil {
		t.Skip("no git checkout: ", err)
	}
	var sums []string
	for _, at := range []string{"a", "deeper/and/deeper"} {
		dir := filepath.Join(t.TempDir(), filepath.FromSlash(at))
		if out, err := exec.Command("git", "clone", "-q", root, dir).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		c := exec.Command("bash", scriptOf(t, "build-release.sh"), filepath.Join(dir, ".git", "out"))
		c.Dir = dir
		c.Env = os.Environ()
		if full {
			c.Env = append(c.Env, "GOCACHE="+t.TempDir())
		}
		out, err := c.CombinedOutput()
		if err != nil || !bytes.Contains(out, []byte("ok: 1 run,")) {
			t.Fatalf("%v\n%s", err, out)
		}
		binaries, err := filepath.Glob(filepath.Join(dir, ".git", "out", "perftrack-*"))
		if err != nil || len(binaries) != 2 {
			t.Fatalf("%v, %v", binaries, err)
		}
		hash := sha256.New()
		for _, binary := range binaries {
			text, err := os.ReadFile(binary)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, []byte(dir)) {
				t.Errorf("%s has the path of where it was built", binary)
			}
			hash.Write(text)
		}
		sums = append(sums, fmt.Sprintf("%x", hash.Sum(nil)))
	}
	if sums[0] != sums[1] {
		t.Errorf("two builds have the hashes %v", sums)
	}
	t.Logf("two builds, from nothing: %v, have the hash %s", full, sums[0])
}

// Uncommitted changes are not released.
func TestReleaseNeedsACommit(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	writeFile(t, filepath.Join(dir, "x.go"), "package x\n", 0o644)
	c := exec.Command("bash", scriptOf(t, "build-release.sh"), filepath.Join(t.TempDir(), "out"))
	c.Dir = dir
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "commit or remove") {
		t.Errorf("%v\n%s", err, out)
	}
}

// installs runs the action's installation in a module of its own, with a curl that downloads
// content, or fails if content is "".
func installs(t *testing.T, release, content string) (out, version string, code int) {
	t.Helper()
	live(t)
	dir := t.TempDir()
	write := func(name, text string) { writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text, 0o755) }
	write("action/go.mod", "module example.com/x\n\ngo 1.26\n")
	write("action/cmd/perftrack/main.go", "package main\n\nfunc main() { println(\"from source\") }\n")
	if release != "" {
		write("action/.github/release.txt", release)
	}
	write("content", content)
	write("bin/curl", "#!/bin/sh\n[ -s "+dir+"/content ] || exit 22\nwhile [ \"$1\" != --output ]; do shift; done\ncp "+dir+"/content \"$2\"\n")
	realGo, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	// The toolchain pinned by actions/setup-go for a repository may be too old.
	write("bin/go", "#!/bin/sh\n[ \"$GOTOOLCHAIN\" != local ] || { echo go.mod requires another go; exit 1; }\nexec "+realGo+" \"$@\"\n")
	c := exec.Command("bash", scriptOf(t, "action.sh"), "install")
	c.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "RUNNER_TEMP="+dir, "GOTOOLCHAIN=local",
		"GITHUB_ACTION_PATH="+filepath.Join(dir, "action"), "COMMAND=comment")
	text, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	ran, _ := exec.Command(filepath.Join(dir, "perftrack", "perftrack")).CombinedOutput() // "" if there is no file
	return string(text), strings.TrimSpace(string(ran)), c.ProcessState.ExitCode()
}

// The action accepts only a binary with the hash in release.txt. It builds from its own source if
// there is no hash or no binary.
func TestActionInstalls(t *testing.T) {
	uname, err := exec.Command("uname", "-sm").Output()
	if err != nil {
		t.Skip(err)
	}
	platform := strings.Join(strings.Fields(string(uname)), "-")
	const binary = "#!/bin/sh\necho released\n"
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(binary)))
	line := platform + " " + hash + " https://example.com/perftrack\n"
	for _, tt := range []struct {
		name, release, content string
		out, version           string
		code                   int
	}{
		{"no release", "", binary, "building it from source, because this commit of the action has no binary for " + platform, "from source", 0},
		{"released", "Plan9-mips 0 https://example.com/x\n" + line, binary, "", "released", 0},
		{"another platform", "Plan9-mips " + hash + " https://example.com/x\n", binary, "building it from source", "from source", 0},
		{"gone", line, "", "building it from source", "from source", 0},
		{"replaced", line, binary + "echo and more\n", "::error title=perftrack::the downloaded binary does not have the hash", "", 2},
	} {
		out, version, code := installs(t, tt.release, tt.content)
		if !strings.Contains(out, tt.out) || tt.out == "" && out != "" || version != tt.version || code != tt.code {
			t.Errorf("%s: exit %d, runs %q, says %q\nwant %d, %q, %q", tt.name, code, version, out, tt.code, tt.version, tt.out)
		}
	}
}

// The action can read the release.txt written by the publishing job.
func TestReleaseFiles(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "perftrack-Linux-x86_64"), "binary", 0o644)
	writeFile(t, filepath.Join(dir, "perftrack-Linux-x86_64.cdx.json"), "{}", 0o644)
	writeFile(t, filepath.Join(dir, "perftrack-mcp-Linux-x86_64"), "server", 0o644)
	c := exec.Command("bash", scriptOf(t, "publish-release.sh"), "sums", dir)
	c.Env = append(os.Environ(), "GITHUB_SERVER_URL=https://example.com", "GITHUB_REPOSITORY=o/r", "GITHUB_REF_NAME=v1.2.3")
	out, err := c.CombinedOutput()
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte("binary")))
	want := "Linux-x86_64 " + hash + " https://example.com/o/r/releases/download/v1.2.3/perftrack-Linux-x86_64\n"
	if err != nil || string(out) != want {
		t.Errorf("%v, %q, want %q", err, out, want)
	}
	for name, want := range map[string]string{"release.txt": want, "SHA256SUMS": fmt.Sprintf("%s  perftrack-Linux-x86_64\n%x  perftrack-Linux-x86_64.cdx.json\n%x  perftrack-mcp-Linux-x86_64\n", hash, sha256.Sum256([]byte("{}")), sha256.Sum256([]byte("server")))} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// The bill of materials names every module of a binary.
func TestSBOM(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("bash", scriptOf(t, "sbom.sh"), self).Output()
	if err != nil {
		t.Fatal(err)
	}
	var sbom struct {
		BOMFormat  string
		Metadata   struct{ Component struct{ Name string } }
		Components []struct{ Name, Version, PURL string }
	}
	if err := json.Unmarshal(out, &sbom); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if sbom.BOMFormat != "CycloneDX" || sbom.Metadata.Component.Name != info.Main.Path || len(sbom.Components) != 1+len(info.Deps) {
		t.Fatalf("%+v", sbom)
	}
	if goVersion := sbom.Components[0]; goVersion.Name != "go" || goVersion.Version != info.GoVersion {
		t.Errorf("Go is %+v", goVersion)
	}
	for i, dep := range info.Deps {
		if got := sbom.Components[1+i]; got.Name != dep.Path || got.Version != dep.Version || got.PURL != "pkg:golang/"+dep.Path+"@"+dep.Version {
			t.Errorf("%+v, want %s %s", got, dep.Path, dep.Version)
		}
	}
}
