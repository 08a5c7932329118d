package queue

import (
	"fmt"
	"strconv"
)

// Sentence describes an alarm, without a full stop. quote formats the names, which are foreign text.
func (a Alarm) Sentence(quote func(string) string) string {
	since := a.Since.UTC().Format("2006-01-02 15:04 UTC")
	switch a.Kind {
	case NoWorker:
		return fmt.Sprintf("no live worker takes %s, the oldest waiting since %s", a.jobs(quote, true), since)
	case LongWaiting:
		what := ", the oldest"
		if a.Waiting == 1 {
			what = ""
		} else if a.Urgent {
			what = ", one of a pull request or release"
		}
		return fmt.Sprintf("%s%s since %s", a.jobs(quote, false), what, since)
	}
	if a.Job != 0 {
		return fmt.Sprintf("worker %s of class %s was last seen at %s, running job %d", quote(a.Worker), quote(a.Class), since, a.Job)
	}
	return fmt.Sprintf("worker %s, the last of class %s, was last seen at %s", quote(a.Worker), quote(a.Class), since)
}

// Ended describes the end of an alarm, without a full stop.
func (a Alarm) Ended(quote func(string) string) string {
	switch a.Kind {
	case NoWorker:
		if a.Checks {
			return "checks have a live worker again, or none waits"
		}
		return fmt.Sprintf("%s has a live worker again, or no job waits for one", a.class(quote))
	case LongWaiting:
		if a.Checks {
			return "no check has been waiting for long any more"
		}
		return fmt.Sprintf("no job of %s has been waiting for long any more", a.class(quote))
	}
	return fmt.Sprintf("worker %s of class %s is no longer missing", quote(a.Worker), quote(a.Class))
}

// jobs names the waiting jobs, as the object or the subject of a sentence.
func (a Alarm) jobs(quote func(string) string, object bool) string {
	what := "job"
	if a.Checks {
		what = "check"
	}
	number, verb := strconv.Itoa(a.Waiting)+" ", " wait"
	if a.Waiting == 1 {
		verb = " waits"
	} else {
		what += "s"
	}
	if object {
		number, verb = "the "+number, ""
		if a.Waiting == 1 {
			number = "the "
		}
	}
	if !a.Checks {
		what += " of " + a.class(quote)
	}
	return number + what + verb
}

// class names the class and, if it has one, the procedure by which its workers measure.
func (a Alarm) class(quote func(string) string) string {
	text := "class " + quote(a.Class)
	if a.Procedure != "" {
		text += " with procedure " + quote(a.Procedure)
	}
	return text
}
