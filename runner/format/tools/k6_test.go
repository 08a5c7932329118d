package tools_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

// The form of --summary-export has no types.
const k6Export = `{
    "root_group": {"name": "", "path": "", "id": "d41d8cd98f00b204e9800998ecf8427e", "groups": {}, "checks": {"ok": {"name": "ok", "passes": 3, "fails": 1}}},
    "metrics": {
        "http_req_duration": {"avg": 144.5, "min": 104, "med": 110.5, "max": 1140, "p(90)": 203.5, "p(95)": 215.5, "thresholds": {"p(95)<500": false}},
        "http_req_duration{expected_response:true}": {"med": 110, "p(99.9)": 250},
        "queue_length": {"avg": 3, "min": 1},
        "http_reqs": {"count": 180, "rate": 4.5},
        "iterations": {"count": 45, "rate": 1.125},
        "data_received": {"count": 1300000, "rate": 31000},
        "errors": {"count": 3, "rate": 0.25},
        "checks": {"value": 0.75, "passes": 3, "fails": 1},
        "http_req_failed": {"value": 0, "passes": 0, "fails": 180},
        "vus": {"value": 1, "min": 1, "max": 19},
        "vus_max": {"value": 20, "min": 20, "max": 20},
        "temperature": {"value": 36.5, "min": 30, "max": 40},
        "empty": {}
    }
}
`

func TestK6Export(t *testing.T) {
	formattest.Check(t, "k6", k6Export, `
		Unit min-ns/op better=lower
		Unit p50-ns/op better=lower
		Unit max-ns/op better=lower
		Unit p90-ns/op better=lower
		Unit p95-ns/op better=lower
		Unit ns/op from=ms
		Unit p99.9-ns/op better=lower
		Unit req/s better=higher
		Unit ops/s better=higher
		Unit passed-ratio better=higher
		Unit failed-ratio better=lower
		http_req_duration 1 1.445e+08 ns/op 1.04e+08 min-ns/op 1.105e+08 p50-ns/op 1.14e+09 max-ns/op 2.035e+08 p90-ns/op 2.155e+08 p95-ns/op 0 summary-n
		http_req_duration{expected_response:true} 1 1.1e+08 ns/op 2.5e+08 p99.9-ns/op 0 summary-n
		queue_length 1 3 value 1 min-value 0 summary-n
		http_reqs 1 4.5 req/s
		iterations 1 1.125 ops/s
		data_received 1 31000 bytes/s
		errors 1 0.25 count/s
		checks 1 0.75 passed-ratio
		http_req_failed 1 0 failed-ratio
		temperature 1 36.5 value
		left out f:16: empty: it has no figures
	`)
}

// handleSummary gets types, and a list of groups.
const k6Handled = `{
    "metrics": {
        "own_latency": {"type": "trend", "contains": "time", "values": {"avg": 2, "count": 30}, "thresholds": {"avg<3": {"ok": true}}},
        "http_req_size": {"type": "trend", "contains": "data", "values": {"med": 512}},
        "http_req_failed": {"type": "rate", "contains": "default", "values": {"rate": 0.5, "passes": 1, "fails": 1}},
        "vus": {"type": "gauge", "contains": "default", "values": {"value": 1, "min": 1, "max": 1}}
    },
    "options": {"summaryTrendStats": ["avg"], "summaryTimeUnit": "", "noColor": false},
    "state": {"testRunDurationMs": 1000}
}
`

func TestK6Handled(t *testing.T) {
	formattest.Check(t, "k6", k6Handled, `
		Unit ns/op from=ms
		Unit B/op from=B
		Unit failed-ratio better=lower
		own_latency 1 2e+06 ns/op 30 summary-n
		http_req_size 1 512 B/op 0 summary-n
		http_req_failed 1 0.5 failed-ratio
	`)
}

// The machine-readable summary has a list of metrics.
const k6Machine = `{
    "config": {"duration": 1.5, "execution": "local"},
    "metadata": {"generatedAt": "2026-02-03T10:00:00Z", "k6Version": "2.0.0"},
    "results": {
        "checks": {"metrics": [{"name": "checks_total", "type": "counter", "contains": "default", "values": {"count": 4}}], "results": []},
        "metrics": [
            {"contains": "time", "name": "iteration_duration", "type": "trend", "values": {"avg": 4, "p(90)": 8}},
            {"contains": "default", "name": "iterations", "type": "counter", "values": {"count": 40}},
            {"contains": "default", "name": "checks", "type": "rate", "values": {"matches": 3, "rate": 0.75, "total": 4}}
        ]
    },
    "version": "1.0.0"
}
`

func TestK6Machine(t *testing.T) {
	formattest.Check(t, "k6", k6Machine, `
		Unit p90-ns/op better=lower
		Unit ns/op from=ms
		Unit passed-ratio better=higher
		k6-version: 2.0.0
		iteration_duration 1 4e+06 ns/op 8e+06 p90-ns/op 0 summary-n
		iterations 1 40 count
		checks 1 0.75 passed-ratio
	`)
}

func FuzzK6(f *testing.F) { formattest.Fuzz(f, "k6", k6Export, k6Handled, k6Machine) }

func BenchmarkK6(b *testing.B) {
	formattest.Bench(b, "k6", `{"root_group": {"checks": {}}, "metrics": {`, `
        "http_req_duration": {
            "avg": 144.51231231,
            "min": 104.12312312,
            "med": 110.51231231,
            "max": 1140.123123,
            "p(90)": 203.5123123,
            "p(95)": 215.5123123,
            "thresholds": {
                "p(95)<500": false
            }
        }`, ",", "}}")
}
