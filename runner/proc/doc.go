// Package proc executes every program that perftrack measures or builds, one
// fresh process a sample, and leaves no descendant of it behind.
//
// It is the bottom of the runner in the flow engine -> runner -> store ->
// compare -> reports: a process that outlives its sample keeps a core busy and
// falsifies every sample after it, and one that outlives perftrack writes into
// a work tree that is being removed.
//
// A process group is not enough to promise that: a grandchild that called
// setsid has left the group, a leader that exits early leaves its children
// behind, and nobody kills the group when perftrack itself is killed. So [Run]
// re-executes perftrack as a small supervisor between itself and the program:
//
//	perftrack --lifeline socket--> supervisor --fork--> program --> descendants
//	        <---status pipe-----
//	        <---------- stdout, stderr, directly -----------
//
// The supervisor is the subreaper of everything below it, so a descendant can
// neither hide nor be inherited by init. It kills them all when the program
// ends, when it is told to, and when the lifeline breaks because perftrack is
// gone. [OnDeath] uses the same lifeline to clean up directories.
//
// A supervisor whose program ended by itself and left nothing behind waits for
// the next one: to start a supervisor costs more than to start most programs, and
// it is time that a check has but does not measure. It gets the pipes for each
// program's output over the lifeline.
//
// A process started on request by a daemon (docker, systemd-run, at) is no
// descendant and is not covered. On unixes other than Linux there are no
// subreapers: there the supervisor kills the program's process group, in the
// same situations, and a descendant that left the group survives. Where there are
// no process groups, as on Windows, [Run] and [OnDeath] refuse: what is stored can
// be read there, and nothing measured.
//
// main and TestMain of every program that uses this package call [Supervise]
// before anything else, and [Dismiss] at their end.
//
// Begin with command.go and run.go; supervisor.go is what perftrack sees of a supervisor,
// supervise.go what the supervisor does, guard.go has [OnDeath], capture.go and
// output.go bound what is kept.
package proc
