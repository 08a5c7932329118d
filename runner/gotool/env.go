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

// Env returns the named variables as go env reports them, using the go command selected by the
// module in dir.
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

// LinkerFlags returns the value of the last -ldflags in GOFLAGS, the one in effect. A flag on the
// command line would replace it completely.
func LinkerFlags(goflags string) (flags string) {
	for _, f := range quotedFields(goflags) {
		if v, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "ldflags="); ok {
			flags = v
		}
	}
	return flags
}

// HasFlag reports whether GOFLAGS sets the flag with the given name, without dashes.
func HasFlag(goflags, name string) bool {
	return slices.ContainsFunc(quotedFields(goflags), func(f string) bool {
		own, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		return own == name
	})
}

// quotedFields splits GOFLAGS in the same way as the go command. It splits at spaces, but a field
// beginning with a quote extends to the next quote of the same kind.
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

// PerformanceFlags removes the flags that do not affect machine code, so that a change in them does
// not split a history.
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
