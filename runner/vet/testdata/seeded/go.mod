module seeded.example/bench

go 1.24
