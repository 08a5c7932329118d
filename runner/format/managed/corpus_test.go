package managed_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

// TestCorpus reads files that users of these formats published. The values were written by hand.
func TestCorpus(t *testing.T) {
	for _, tt := range []struct{ file, format, want string }{
		{"gab-jmh_output.json", "jmh", `
			Unit ops/s better=higher
			jmh-version: 1.29
			jdk-version: 1.8.0_202
			jvm: Java HotSpot(TM) 64-Bit Server VM
			org.openjdk.jmh.samples.JMHSample_01_HelloWorld.wellHelloThere 1 3.376842765688582e+09 ops/s
			org.openjdk.jmh.samples.JMHSample_01_HelloWorld.wellHelloThere 1 3.37651988895058e+09 ops/s
			org.openjdk.jmh.samples.JMHSample_01_HelloWorld.wellHelloThere 1 3.375353964729294e+09 ops/s
		`},
		{"bencher-java-jmh-latency.json", "jmh", `
			Unit ns/op from=s/op
			jmh-version: 1.29
			jdk-version: 1.8.0_202
			jvm: Java HotSpot(TM) 64-Bit Server VM
			org.openjdk.jmh.samples.JMHSample_01_HelloWorld.wellHelloThere 1 3.376842765688582e+18 ns/op
			org.openjdk.jmh.samples.JMHSample_01_HelloWorld.wellHelloThere 1 3.37651988895058e+18 ns/op
			org.openjdk.jmh.samples.JMHSample_01_HelloWorld.wellHelloThere 1 3.375353964729294e+18 ns/op
		`},
		{"bencher-c_sharp-dot_net-two.json", "benchmarkdotnet", `
			goos: windows
			cpu: Intel(R) Core(TM) i7-4702MQ CPU 2.20GHz
			cpu-count: 8
			benchmarkdotnet-version: 0.9.9.0
			dotnet-version: MS.NET 4.0.30319.42000
			os-version: Microsoft Windows NT 6.2.9200.0
			BenchmarkDotNet.Samples.Intro.IntroJsonExport.Sleep10 1 1.0362283085796878e+07 ns/op 45702.118369205156 sd-ns/op 1.0342253249292579e+07 low-ns/op 1.0382312922301177e+07 high-ns/op 20 summary-n
			BenchmarkDotNet.Samples.Intro.IntroJsonExport.Sleep20 1 2.0360791931687497e+07 ns/op 47980.732317777525 sd-ns/op 2.033976344858923e+07 low-ns/op 2.038182041478576e+07 high-ns/op 20 summary-n
		`},
		{"gab-benchmarkdotnet.json", "benchmarkdotnet", `
			goos: darwin
			goarch: amd64
			cpu: Intel Core i7-7820HQ CPU 2.90GHz (Kaby Lake)
			cpu-count: 8
			benchmarkdotnet-version: 0.12.1
			dotnet-version: .NET Core 3.0.0 (CoreCLR 4.700.19.46205, CoreFX 4.700.19.46214)
			os-version: macOS Catalina 10.15.4 (19E287) [Darwin 19.4.0]
			Sample.Benchmarks.Fib10 1 24.805462032556534 ns/op
			Sample.Benchmarks.Fib10 1 24.505721479654312 ns/op
			Sample.Benchmarks.Fib10 1 24.38324511051178 ns/op
			Sample.Benchmarks.Fib10 1 24.31508642435074 ns/op
			Sample.Benchmarks.Fib10 1 24.604057878255844 ns/op
			Sample.Benchmarks.Fib10 1 24.411026656627655 ns/op
			Sample.Benchmarks.Fib10 1 24.184963196516037 ns/op
			Sample.Benchmarks.Fib10 1 24.06129601597786 ns/op
			Sample.Benchmarks.Fib10 1 24.39676508307457 ns/op
			Sample.Benchmarks.Fib10 1 24.65345013141632 ns/op
			Sample.Benchmarks.Fib10 1 24.45925670862198 ns/op
			Sample.Benchmarks.Fib10 1 24.501324713230133 ns/op
			Sample.Benchmarks.Fib10 1 24.42797040939331 ns/op
			Sample.Benchmarks.Fib10 1 24.17329317331314 ns/op
			Sample.Benchmarks.Fib20 1 51.17876464128494 ns/op
			Sample.Benchmarks.Fib20 1 51.03414672613144 ns/op
			Sample.Benchmarks.Fib20 1 51.7533193230629 ns/op
			Sample.Benchmarks.Fib20 1 52.16337263584137 ns/op
			Sample.Benchmarks.Fib20 1 51.40195590257645 ns/op
			Sample.Benchmarks.Fib20 1 50.61139816045761 ns/op
			Sample.Benchmarks.Fib20 1 50.41881966590881 ns/op
			Sample.Benchmarks.Fib20 1 50.895901918411255 ns/op
			Sample.Benchmarks.Fib20 1 51.100995659828186 ns/op
			Sample.Benchmarks.Fib20 1 52.09306198358536 ns/op
			Sample.Benchmarks.Fib20 1 53.3868932723999 ns/op
			Sample.Benchmarks.Fib20 1 51.78464049100876 ns/op
			Sample.Benchmarks.Fib20 1 51.93778932094574 ns/op
		`},
	} {
		t.Run(tt.file, func(t *testing.T) { formattest.Check(t, tt.format, formattest.CorpusFile(t, tt.file), tt.want) })
	}
}
