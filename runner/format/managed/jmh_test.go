package managed_test

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const jmh = `[
    {
        "jmhVersion" : "1.37",
        "benchmark" : "org.example.MapBench.get",
        "mode" : "thrpt",
        "threads" : 4,
        "forks" : 2,
        "jvm" : "/usr/bin/java",
        "jvmArgs" : ["-Xmx2G"],
        "jdkVersion" : "21.0.1",
        "vmName" : "OpenJDK 64-Bit Server VM",
        "measurementIterations" : 2,
        "params" : {"size" : "1000", "kind" : "a b"},
        "primaryMetric" : {
            "score" : 11.5, "scoreError" : "NaN", "scoreConfidence" : ["NaN", "NaN"], "scorePercentiles" : {"50.0" : 11.5, "99.0" : 13},
            "scoreUnit" : "ops/ms",
            "rawData" : [[10.0, 11.0], [12.0, 13.0]]
        },
        "secondaryMetrics" : {
            "·gc.alloc.rate" : {"score" : 900, "scoreUnit" : "MB/sec", "rawData" : [[900, 900], [900, 900]]},
            "·gc.alloc.rate.norm" : {"score" : 24.5, "scoreUnit" : "B/op", "rawData" : [[24, 25], [24, 25]]},
            "instructions" : {"score" : 95.5, "scoreUnit" : "#/op", "rawData" : [[95], [96]]},
            "·stack" : {"score" : "NaN", "scoreError" : "NaN", "scoreUnit" : "---", "rawData" : [["NaN"]]},
            "put" : {"score" : 5.5, "scoreUnit" : "ops/ms", "rawData" : [[5, 5], [6, 6]]}
        }
    },
    {
        "benchmark" : "org.example.MapBench.get", "mode" : "avgt", "threads" : 1, "forks" : 1, "measurementIterations" : 5,
        "primaryMetric" : {"score" : 2.5, "scoreError" : 0.5, "scoreConfidence" : [2.0, 3.0], "scoreUnit" : "us/op", "rawData" : []},
        "secondaryMetrics" : {"gc.alloc.rate.norm" : {"score" : 16, "scoreUnit" : "B/op", "rawData" : []}}
    },
    {
        "benchmark" : "org.example.MapBench.get", "mode" : "sample", "threads" : 1, "forks" : 1, "measurementIterations" : 2,
        "primaryMetric" : {"score" : 2.5, "scoreConfidence" : [2.0, 3.0], "scorePercentiles" : {"0.0" : 1, "50.0" : 2, "99.0" : 9}, "scoreUnit" : "us/op",
            "rawDataHistogram" : [[ [[1, 3], [5, 1]], [[4.0, 2]], [] ]]},
        "secondaryMetrics" : {"get:p0.50" : {"score" : 2, "scoreUnit" : "us/op", "rawData" : [[2]]}}
    },
    {
        "benchmark" : "org.example.MapBench.start", "mode" : "ss", "threads" : 1, "forks" : 1, "measurementIterations" : 1,
        "primaryMetric" : {"score" : 1.5, "scoreUnit" : "s/op", "rawData" : [[1.5]]},
        "secondaryMetrics" : {}
    },
    {
        "benchmark" : "org.example.MapBench.none", "mode" : "avgt",
        "primaryMetric" : {"score" : "NaN", "scoreUnit" : "s/op", "rawData" : [["NaN"]]}
    }
]


`

func TestJMH(t *testing.T) {
	formattest.Check(t, "jmh", jmh, `
		Unit ops/s better=higher
		Unit ops/s from=ops/ms
		jmh-version: 1.37
		jdk-version: 21.0.1
		jvm: OpenJDK 64-Bit Server VM
		org.example.MapBench.get/size=1000/kind=a_b/threads=4 1 10000 ops/s 24 B/op 95.5 instructions/op
		org.example.MapBench.get/size=1000/kind=a_b/threads=4 1 11000 ops/s 25 B/op
		org.example.MapBench.get/size=1000/kind=a_b/threads=4 1 12000 ops/s 24 B/op
		org.example.MapBench.get/size=1000/kind=a_b/threads=4 1 13000 ops/s 25 B/op
		org.example.MapBench.get/size=1000/kind=a_b/threads=4:put 1 5000 ops/s
		org.example.MapBench.get/size=1000/kind=a_b/threads=4:put 1 5000 ops/s
		org.example.MapBench.get/size=1000/kind=a_b/threads=4:put 1 6000 ops/s
		org.example.MapBench.get/size=1000/kind=a_b/threads=4:put 1 6000 ops/s
		Unit ns/op from=us/op
		org.example.MapBench.get 1 2500 ns/op 16 B/op 2000 low-ns/op 3000 high-ns/op 5 summary-n
		Unit p50-ns/op better=lower
		Unit p99-ns/op better=lower
		org.example.MapBench.get/mode=sample 1 2000 ns/op 2000 p50-ns/op 9000 p99-ns/op
		org.example.MapBench.get/mode=sample 1 4000 ns/op
		Unit ns/op from=s/op
		org.example.MapBench.start/mode=ss 1 1.5e+09 ns/op
		left out f:46: org.example.MapBench.none: it has no score
	`)
}

func TestJMHMistakes(t *testing.T) {
	shape := func(primary string) string {
		return "[\n{\"benchmark\": \"a.B.c\", \"mode\": \"thrpt\", \"primaryMetric\": " + primary + "}]"
	}
	for _, tt := range []struct{ text, want string }{
		{shape(`{"scoreUnit": "ops/s", "rawData": [[-1]]}`), "Unit ops/s better=higher\nerror f:2: \"a.B.c\" is -1 ops/s: not a finite number of 0 or more"},
		{shape(`{"scoreUnit": "ops/s", "rawData": 3}`), "failed f:2: expected an array, found \"3\""},
		{shape(`{"scoreUnit": "ops/s"`), "failed f:2: invalid JSON: invalid character ']' after object value (expecting ',' or '}')"},
	} {
		got := strings.TrimSpace(formattest.Dump(t, "jmh", tt.text))
		if want := tt.want; got != want && got != strings.TrimPrefix(want, "Unit ops/s better=higher\n") {
			t.Errorf("%s: got %s, want %s", tt.text, got, want)
		}
	}
}

func FuzzJMH(f *testing.F) { formattest.Fuzz(f, "jmh", jmh) }

func BenchmarkJMH(b *testing.B) {
	formattest.Bench(b, "jmh", "[", `
    {
        "jmhVersion" : "1.37",
        "benchmark" : "org.example.MapBench.get",
        "mode" : "thrpt",
        "threads" : 1,
        "forks" : 1,
        "jvm" : "/usr/lib/jvm/java-21-openjdk-amd64/bin/java",
        "jvmArgs" : [
        ],
        "jdkVersion" : "21.0.1",
        "vmName" : "OpenJDK 64-Bit Server VM",
        "vmVersion" : "21.0.1+12",
        "warmupIterations" : 1,
        "warmupTime" : "10 s",
        "warmupBatchSize" : 1,
        "measurementIterations" : 3,
        "measurementTime" : "10 s",
        "measurementBatchSize" : 1,
        "primaryMetric" : {
            "score" : 3.3762388731228185E9,
            "scoreError" : 1.4287985743935993E7,
            "scoreConfidence" : [
                3.3619508873788824E9,
                3.3905268588667545E9
            ],
            "scorePercentiles" : {
                "0.0" : 3.375353964729294E9,
                "50.0" : 3.37651988895058E9,
                "90.0" : 3.376842765688582E9,
                "100.0" : 3.376842765688582E9
            },
            "scoreUnit" : "ops/s",
            "rawData" : [
                [
                    3.376842765688582E9,
                    3.37651988895058E9,
                    3.375353964729294E9
                ]
            ]
        },
        "secondaryMetrics" : {
        }
    }`, ",", "]")
}
