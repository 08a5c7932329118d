// Package queue judges the queue of a fleet: which workers are alive, what waits for them, and what
// is wrong. perftrack serve, its metrics and perftrack ci notify show the same [State] and only put
// it into words.
//
// The package computes, without a clock or I/O. Begin with queue.go; alarms.go has the rules.
package queue
