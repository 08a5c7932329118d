// Package turnstile lets the two sides of one Go benchmark run in turns of a few
// milliseconds, without any change to the benchmark: each side is one process, and while
// one runs a slice the other is stopped. What disturbs the machine for longer than a slice
// meets both sides alike.
//
// A process runs the benchmark with -test.count=K -test.benchtime=Nx, so a slice is one
// count: N iterations. Its standard output is a pipe in packet mode that has room for one
// packet ([O_DIRECT in pipe(2)], F_SETPIPE_SZ of one page). Package testing writes the name
// of a benchmark before each count and the result after it, each by one write:
//
//	goos, goarch, pkg, cpu | name | count 0 | result | name | count 1 | result | name ...
//
// So a process that has finished a count leaves the result in the pipe and blocks, outside
// of what is timed, in writing the next name. It runs another count when both have been
// read; then readable again means finished and parked. The result is looked at with tee(2)
// while it stays in the pipe. A parked process group is stopped (SIGSTOP) until its next
// slice, so that no goroutine and no collection of it runs beside the other side; its
// times are read when all of its threads stand. [Spec.Unstopped] leaves that out.
//
// [Open] starts both sides and lets each run the first count, which is dropped.
// [Pair.Slice] runs one more of a side, [Order] says which, [Pair.Close] ends both. What
// cannot be measured so is a [SliceError], and leaves the caller with a fresh process a
// sample, as ever.
//
// It depends on these facts of package testing, as of Go 1.26; the tests hold them, each
// against a real benchmark:
//
//   - Without -test.v the name is written before its count; with it, and with -json,
//     behind. So neither is passed, and a program that sets it itself is noticed.
//   - A count is one call with N = 1 and one with N, a collection before each; the result
//     is about the second. Only the first count of a process makes its first call before
//     the name.
//   - A benchmark with b.Loop is called once a count, and the first time before its name.
//   - What b.Log gets is written after the result by a third write, "--- BENCH". Hence
//     writes are classified and not counted.
//   - A failure is "--- FAIL" instead of a result. b.Skip before the first result leaves
//     nothing, later a result of 0 iterations.
//   - A benchmark with benchmarks of its own runs once, and all counts of one of these
//     follow each other before the next begins: so only the expression of exactly one leaf
//     can be sliced.
//   - Times are printed with four digits: one slice is rounded by up to 0.05 %.
//
// Begin with pair_linux.go, then side_linux.go; packet.go tells writes apart, pipe_linux.go
// and process_linux.go are what Linux is asked for. On other systems [Supported] says why
// not.
//
// Limits. A process that measures its own time across counts sees the time in which it was
// stopped. What a program's children do is stopped, too, if they stayed in its process
// group, but is not in [Slice.CPU]. Both sides live at the same time, with the memory of
// both; a port that each holds for longer than a count is refused to the second.
//
// [O_DIRECT in pipe(2)]: https://man7.org/linux/man-pages/man2/pipe.2.html
package turnstile
