window.BENCHMARK_DATA = {
  "lastUpdate": 1770112800000,
  "repoUrl": "https://example.com/o/r",
  "entries": {
    "Benchmark": [
      {
        "commit": {"id": "1111111111111111111111111111111111111111", "message": "one", "timestamp": "2026-02-03T11:00:00+01:00"},
        "date": 1770112811123,
        "tool": "cargo",
        "benches": [{"name": "split", "value": 149, "range": "± 2", "unit": "ns/iter"}]
      }
    ]
  }
}
