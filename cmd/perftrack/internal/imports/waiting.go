package imports

import (
	"context"
	"fmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/record/decode"
)

// waiting are checked runs that are not stored yet. A transaction for each run would make a folder of
// a thousand small files slow.
type waiting struct {
	runs  []*decode.Packed
	files []string // of the runs
	size  int      // of the runs in memory
}

// Limits on the runs in one transaction. Other processes wait for it, and a run that waits is in
// memory.
const (
	mostWaiting     = 64
	mostWaitingSize = 1 << 20
)

// add adds a run of a file, and stores those that wait if they are many.
func (w *waiting) add(ctx context.Context, im *fileImport, file string, r *decode.Packed) error {
	w.runs, w.files = append(w.runs, r), append(w.files, file)
	if w.size += r.Size(); len(w.runs) < mostWaiting && w.size < mostWaitingSize {
		return nil
	}
	return w.flush(ctx, im)
}

// flush stores the runs that wait. If they cannot be stored together, it stores those before the one at
// fault, and names the file of that one.
func (w *waiting) flush(ctx context.Context, im *fileImport) error {
	now := *w
	*w = waiting{}
	if len(now.runs) == 0 {
		return nil
	}
	stored, together := im.db.PutAllPacked(ctx, now.runs)
	for i, r := range now.runs {
		var err error
		if together == nil {
			err = im.out.stored(ctx, im.db, now.files[i], r, stored[i])
		} else {
			err = im.out.store(ctx, im.db, now.files[i], r)
		}
		if err != nil {
			return fault.Data(fmt.Errorf("import %s: %w", now.files[i], err))
		}
	}
	return nil
}
