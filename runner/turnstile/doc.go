// Package turnstile runs the two sides of a Go benchmark in turns of a few milliseconds, without
// any change to the benchmark. Each side is one process. While one of them runs a slice, the other
// is stopped. A disturbance longer than a slice affects both sides alike.
//
// A process runs the benchmark with -test.count=K and -test.benchtime=Nx. A slice is one count of N
// iterations. The standard output of the process is a pipe in packet mode with room for one packet
// ([O_DIRECT in pipe(2)], F_SETPIPE_SZ of one page). Package testing writes the name of a benchmark
// before each count and the result after it, each with a single write:
//
//	goos, goarch, pkg, cpu | name | count 0 | result | name | count 1 | result | name ...
//
// After a count, the process therefore leaves the result in the pipe and blocks while it writes the
// next name, outside the timed code. It runs the next count once both have been read. When the pipe
// is readable again, the count is finished and the process is parked. The result is read with
// tee(2), which leaves it in the pipe. The process group of a parked side is stopped (SIGSTOP)
// until its next slice, so its goroutines and garbage collections never run at the same time as the
// other side. Its clocks are read when all of its threads have stopped. With [Spec.Unstopped],
// parked sides are not stopped.
//
// [Open] starts both sides and lets each run its first count, which is dropped. [Pair.Slice] runs
// one more count of a side, [Order] yields the sequence of sides, and [Pair.Close] ends both. A
// [SliceError] means that slices do not work, but the caller can still use a fresh process for each
// sample.
//
// The package depends on these properties of package testing, as of Go 1.26. The tests check each
// of them with a real benchmark:
//
//   - Without -test.v, the name is written before its count. With it, or with -json, the name is
//     written after the count. Therefore neither flag is passed, and a program that sets one of
//     them is detected.
//   - A count consists of one call with N = 1 and one with N iterations, with a garbage collection
//     before each. The result describes the second call. Only the first count in a process makes
//     its first call before the name is written.
//   - A benchmark with b.Loop is called once per count. The first call comes before its name is
//     written.
//   - The text of b.Log is written after the result, by a third write beginning with "--- BENCH".
//     Writes are therefore classified rather than counted.
//   - A failure is written as "--- FAIL" instead of a result. Calling b.Skip before the first
//     result leaves no output, and later it leaves a result with 0 iterations.
//   - A benchmark with sub-benchmarks runs once, and all counts of one sub-benchmark come before
//     those of the next. Only an expression that matches exactly one benchmark without
//     sub-benchmarks can therefore be sliced.
//   - Times are printed with four digits, so a slice is rounded by up to 0.05 %.
//
// Begin with pair_linux.go, followed by side_linux.go. packet.go classifies writes, and
// pipe_linux.go and process_linux.go make the system calls. On systems other than Linux,
// [Supported] returns the reason why slices do not work.
//
// The approach has limits. If a process measures its own time across counts, that includes the time
// during which it was stopped. Its child processes are stopped as well if they stay in its process
// group, but they do not count in [Slice.CPU]. Both sides exist at the same time, so the memory of
// both is needed. If one side holds a network port for longer than a count, the other side cannot
// open it.
//
// [O_DIRECT in pipe(2)]: https://man7.org/linux/man-pages/man2/pipe.2.html
package turnstile
