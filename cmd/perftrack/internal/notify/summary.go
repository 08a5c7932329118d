package notify

import (
	"fmt"
	"strconv"
)

// Summary sums up the current state, so that the user also sees why no message was sent.
func (res Result) Summary() string {
	sent := 0
	for _, c := range res.Channels {
		sent += len(c.Sentences)
	}
	text := fmt.Sprintf("%d series with an unresolved regression", res.Unresolved)
	switch {
	case res.Known+res.TooFew == 0:
		text = "no history: measure the default branch with perftrack run, or fetch runs with perftrack sync"
	case res.Known == 0:
		text = fmt.Sprintf("all %d series have too few runs to tell", res.TooFew)
	case res.TooFew > 0:
		text += fmt.Sprintf("; %d of %d series have too few runs to tell", res.TooFew, res.Known+res.TooFew)
	}
	if res.Alarms > 0 {
		text += "; not measured as before: " + strconv.Itoa(res.Alarms)
	}
	if res.QueueAlarms > 0 {
		text += "; alarms of the queue: " + strconv.Itoa(res.QueueAlarms)
	}
	if sent == 0 {
		text += "; nothing new to report"
	}
	return text
}
