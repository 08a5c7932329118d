package notify

// queueAlarms returns an event for each alarm of the queue.
func (s State) queueAlarms() (all []Event) {
	if s.Queue == nil {
		return nil
	}
	for _, a := range s.Queue.Alarms {
		all = append(all, Event{Kind: a.Kind, Queue: a})
	}
	return all
}

// queueDifferences returns events for new and ended alarms of the queue, and the alarms to
// remember. Without a fleet in the database of this job, the queue is unknown, so the alarms are
// kept.
func queueDifferences(told []Event, now State) (events, next []Event) {
	if now.Queue == nil {
		return nil, told
	}
	alarms := now.queueAlarms()
	for _, t := range told {
		if has(alarms, t) {
			next = append(next, t)
		} else {
			events = append(events, Event{Kind: Ended, Queue: t.Queue, Reason: t.Kind})
		}
	}
	for _, a := range alarms {
		if !has(told, a) {
			events, next = append(events, a), append(next, a)
		}
	}
	return events, next
}

// queueAlarm returns the sentence for an alarm of the queue or its end.
func (e Event) queueAlarm(q quote) string {
	if e.Kind == Ended {
		return e.Queue.Ended(q.name)
	}
	return e.Queue.Sentence(q.name)
}
