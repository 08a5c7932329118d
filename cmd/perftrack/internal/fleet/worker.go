package fleet

import (
	"context"
	"strconv"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
)

// WorkerOptions are the settings of `perftrack worker`.
type WorkerOptions struct {
	Class    string
	ID, Work string // "" means a default
	CPUs     string // list of CPUs for benchmarks; "" means the configured ones
	InFlight int    // jobs of a repository that may run at once; 0 means any number
	Once     bool   // end when no job waits
	Trusted  bool   // run benchmarks outside a box
	Decide   bool   // also decide what was submitted
}

// Args returns the arguments of perftrack-fleet.
func (o WorkerOptions) Args(a *workspace.Session) []string {
	args := []string{"worker", "-perftrack", a.Engine[0], "-class", o.Class, "-procedure", Procedure, "-version", a.Version}
	for _, f := range []struct{ name, value string }{{"-id", o.ID}, {"-work", o.Work}, {"-cpus", o.CPUs}} {
		if f.value != "" {
			args = append(args, f.name, f.value)
		}
	}
	for _, f := range []struct {
		name string
		set  bool
	}{{"-once", o.Once}, {"-trusted", o.Trusted}, {"-decide", o.Decide}} {
		if f.set {
			args = append(args, f.name)
		}
	}
	if o.InFlight > 0 {
		args = append(args, "-in-flight", strconv.Itoa(o.InFlight))
	}
	return args
}

// Prepare creates the database's tables unless they exist, and returns the environment of
// perftrack-fleet.
func Prepare(ctx context.Context, a *workspace.Session) ([]string, error) {
	env, err := Environ(ctx, a)
	if err != nil {
		return nil, err
	}
	d, err := a.Database(ctx)
	if err != nil {
		return nil, err
	}
	if db, err := d.OpenReadOnly(ctx); err == nil {
		return env, db.Close() // a worker may lack the rights to write runs
	}
	db, _, err := a.OpenForWriting(ctx)
	if err != nil {
		return nil, err
	}
	return env, db.Close()
}
