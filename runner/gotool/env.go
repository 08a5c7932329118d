package gotool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/proc"
)

// Env asks the go command that the directory's module selects.
func Env(ctx context.Context, dir string, names ...string) (map[string]string, error) {
	out, err := build.Step(ctx, "the Go environment",
		proc.Command{Argv: append([]string{"go", "env", "-json"}, names...), Dir: dir})
	if err != nil {
		return nil, err
	}
	env := map[string]string{}
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("read go env: %w", err)
	}
	return env, nil
}

// LinkerFlags returns the -ldflags of GOFLAGS, the last one as for the go
// command: a flag on the command line replaces the whole of it there.
func LinkerFlags(goflags string) (flags string) {
	for _, f := range quotedFields(goflags) {
		if v, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "ldflags="); ok {
			flags = v
		}
	}
	return flags
}

// HasFlag reports whether GOFLAGS sets a flag, which is given without dashes.
func HasFlag(goflags, name string) bool {
	return slices.ContainsFunc(quotedFields(goflags), func(f string) bool {
		own, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		return own == name
	})
}

// quotedFields splits GOFLAGS as the go command does: at spaces, a field that
// begins with a quote up to the next one of its kind.
func quotedFields(s string) (fields []string) {
	for {
		s = strings.TrimLeft(s, " \t\n\r")
		if s == "" {
			return fields
		}
		end := strings.IndexAny(s, " \t\n\r")
		if s[0] == '\'' || s[0] == '"' {
			end = strings.IndexByte(s[1:], s[0])
			if end >= 0 {
				fields = append(fields, s[1:end+1])
				s = s[end+2:]
				continue
			}
		}
		if end < 0 {
			end = len(s)
		}
		fields = append(fields, s[:end])
		s = s[end:]
	}
}

// PerformanceFlags drops the flags that do not change the machine code, so
// that they do not cut a history in two.
func PerformanceFlags(goflags string) string {
	var keep []string
	for _, f := range quotedFields(goflags) {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		switch name {
		case "buildvcs", "trimpath", "mod", "modcacherw", "modfile", "v", "x", "p", "json":
			continue
		}
		keep = append(keep, f)
	}
	return strings.Join(keep, " ")
}
