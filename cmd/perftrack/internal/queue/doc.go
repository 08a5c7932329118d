// Package queue judges the queue of a fleet: which workers are alive, what waits for them, and what
// is wrong. perftrack serve, its metrics and perftrack ci notify show the same [State] and only put
// it into words.
//
// Begin with queue.go, which computes without a clock or I/O; alarms.go has the rules. read.go reads
// the queue from the database.
package queue
