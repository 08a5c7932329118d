package managed_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const benchmarkDotNet = `{
  "Title": "Sample-20260203",
  "HostEnvironmentInfo": {"BenchmarkDotNetCaption": "BenchmarkDotNet", "BenchmarkDotNetVersion": "0.15.6", "OsVersion": "Ubuntu 24.04.1 LTS (Noble Numbat)",
    "ProcessorName": "AMD Ryzen 7 5800X", "LogicalCoreCount": 16, "RuntimeVersion": ".NET 9.0.1", "Architecture": "X64", "ChronometerFrequency": {"Hertz": 1}},
  "Benchmarks": [
    {"DisplayInfo": "Bench.Parse: Job-CZIFCN(Runtime=.NET 9.0, IterationCount=3) [Size=10]", "Namespace": "Sample", "Type": "Bench", "Method": "Parse",
     "Parameters": "Size=10", "FullName": "Sample.Bench.Parse(Size: 10)",
     "Statistics": {"OriginalValues": [20, 25], "N": 2, "Mean": 22.5},
     "Memory": {"Gen0Collections": 168, "TotalOperations": 4, "BytesAllocatedPerOperation": 672},
     "Measurements": [
       {"IterationMode": "Overhead", "IterationStage": "Jitting", "LaunchIndex": 1, "IterationIndex": 1, "Operations": 1, "Nanoseconds": 150800},
       {"IterationMode": "Workload", "IterationStage": "Actual", "LaunchIndex": 1, "IterationIndex": 1, "Operations": 4, "Nanoseconds": 84},
       {"IterationMode": "Workload", "IterationStage": "Result", "LaunchIndex": 1, "IterationIndex": 1, "Operations": 4, "Nanoseconds": 80},
       {"IterationMode": "Workload", "IterationStage": "Result", "LaunchIndex": 1, "IterationIndex": 2, "Operations": 4, "Nanoseconds": 100}
     ]},
    {"DisplayInfo": "Bench.Brief: DefaultJob", "Namespace": "Sample", "Type": "Bench", "Method": "Brief", "FullName": "Sample.Bench.Brief",
     "Statistics": {"OriginalValues": [1.5, 2.5], "N": 2, "Mean": 2}},
    {"Namespace": "Sample", "Type": "Bench", "Method": "Cut", "FullName": "Sample.Bench.Cut",
     "Statistics": {"OriginalValues": [1.5, "and more"], "N": 9, "Mean": 2, "StandardDeviation": 0.5, "Skewness": "NaN",
       "ConfidenceInterval": {"N": 9, "Mean": 2, "Lower": 1.75, "Upper": 2.25}}},
    {"ShortInfo": "Old_Method", "Namespace": null, "Type": "Old", "Method": "Method", "Parameters": "A=1&B=x y",
     "Statistics": {"N": 20, "Median": 7, "StandardDeviation": 1}},
    {"DisplayInfo": "Bench.Fails: ShortRun(LaunchCount=1)", "Namespace": "Sample", "Type": "Bench", "Method": "Fails", "FullName": "Sample.Bench.Fails", "Statistics": null}
  ]
}
`

func TestBenchmarkDotNet(t *testing.T) {
	formattest.Check(t, "benchmarkdotnet", benchmarkDotNet, `
		goos: linux
		goarch: amd64
		cpu: AMD Ryzen 7 5800X
		cpu-count: 16
		benchmarkdotnet-version: 0.15.6
		dotnet-version: .NET 9.0.1
		os-version: Ubuntu 24.04.1 LTS (Noble Numbat)
		Sample.Bench.Parse(Size:_10)/Runtime=.NET_9.0 4 20 ns/op 672 B/op
		Sample.Bench.Parse(Size:_10)/Runtime=.NET_9.0 4 25 ns/op
		Sample.Bench.Brief 1 1.5 ns/op
		Sample.Bench.Brief 1 2.5 ns/op
		Sample.Bench.Cut 1 2 ns/op 0.5 sd-ns/op 1.75 low-ns/op 2.25 high-ns/op 9 summary-n
		Old.Method/A=1/B=x_y 1 7 ns/op 1 sd-ns/op 20 summary-n
		left out f:23: Sample.Bench.Fails: it has no statistics: it failed
	`)
}

// Measurements of version 0.9 have no stage.
func TestBenchmarkDotNetOld(t *testing.T) {
	formattest.Check(t, "benchmarkdotnet", `{"HostEnvironmentInfo": {"ProcessorName": {"IsValueCreated": true, "Value": "Old CPU"}, "ProcessorCount": 8, "Architecture": "64-bit",
		"OsVersion": "Microsoft Windows NT 6.2"}, "Benchmarks": [{"Type": "A", "Method": "B", "Statistics": {"N": 1, "Mean": 3},
		"Measurements": [{"IterationMode": "MainTarget", "Operations": 2, "Nanoseconds": 9}, {"IterationMode": "Result", "Operations": 2, "Nanoseconds": 6}]}]}`, `
		goos: windows
		cpu: Old CPU
		cpu-count: 8
		os-version: Microsoft Windows NT 6.2
		A.B 2 3 ns/op
	`)
	formattest.Check(t, "benchmarkdotnet", `{"HostEnvironmentInfo": {}, "Benchmarks": [{"Namespace": null, "Method": "B", "Statistics": {"Mean": 0}}]}`, `
		B 1 0 ns/op 0 summary-n
	`)
}

func FuzzBenchmarkDotNet(f *testing.F) { formattest.Fuzz(f, "benchmarkdotnet", benchmarkDotNet) }

func BenchmarkBenchmarkDotNet(b *testing.B) {
	formattest.Bench(b, "benchmarkdotnet", `{"HostEnvironmentInfo": {}, "Benchmarks": [{"Type": "A", "Method": "B", "Statistics": {"Mean": 6}, "Measurements": [`, `
        {
          "IterationMode": "Workload",
          "IterationStage": "Actual",
          "LaunchIndex": 1,
          "IterationIndex": 1,
          "Operations": 4194304,
          "Nanoseconds": 465515400
        }`, ",", "]}]}")
}
