// Command perftrack-mcp makes perftrack available to agents and editors over the Model Context
// Protocol, using stdin and stdout. `perftrack mcp` starts it.
//
// It is confined to the current repository and runs perftrack for each call. Begin with main.go;
// lines.go keeps the session alive after malformed input.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/perftrack/perftrack/mcp/command"
	"github.com/perftrack/perftrack/mcp/place"
	"github.com/perftrack/perftrack/mcp/tools"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "perftrack-mcp:", err)
		os.Exit(2)
	}
}

func run(args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("perftrack-mcp", flag.ContinueOnError)
	dir := f.String("dir", ".", "serve the repository around this `directory`")
	binary := f.String("perftrack", "", "the perftrack `binary` (default the one in this program's folder)")
	show := f.Bool("version", false, "print the version")
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return nil
	case err != nil:
		return err
	case *show:
		_, err := fmt.Fprintln(stdout, "perftrack-mcp", version())
		return err
	case f.NArg() > 0:
		return fmt.Errorf("unknown argument %q: name a repository with -dir", f.Arg(0))
	}
	at, err := place.Locate(*dir)
	if err != nil {
		return err
	}
	path, err := find(*binary, at)
	if err != nil {
		return err
	}
	return serve(command.Perftrack{Path: path, Dir: at.Dir, Env: os.Environ()}, at)
}

// serve answers requests until the client closes stdin or a signal arrives. Then it interrupts all
// running calls and waits while they store their samples.
func serve(p command.Perftrack, at place.Place) error {
	signaled, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, end := context.WithCancel(signaled)
	s, server := tools.New(ctx, p, at, version())
	stdout := &sharedWriter{w: os.Stdout}
	err := server.Run(ctx, &mcp.IOTransport{Reader: newLineReader(os.Stdin, stdout), Writer: stdout})
	end()
	s.Wait()
	if signaled.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// find returns the path of the perftrack binary: the named one or, by default, the one next to this
// program. It returns an error if the binary is in the served repository.
func find(named string, at place.Place) (string, error) {
	if named != "" {
		path, err := filepath.Abs(named)
		if err != nil {
			return "", fmt.Errorf("find perftrack: %w", err)
		}
		return path, executable(path)
	}
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("find perftrack-mcp's own binary: %w", err)
	}
	path := filepath.Join(filepath.Dir(self), "perftrack"+filepath.Ext(self))
	if place.Within(at.Root, path) {
		return "", fmt.Errorf("%s is in the served repository and is not trusted: start `perftrack mcp`, or name the binary with -perftrack", path)
	}
	if err := executable(path); err != nil {
		return "", fmt.Errorf("%w: start `perftrack mcp`, or name the binary with -perftrack", err)
	}
	return path, nil
}

func executable(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return fmt.Errorf("find perftrack: %w", err)
	}
	return nil
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
