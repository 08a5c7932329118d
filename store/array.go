package store

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An ArrayText is how a database writes a list of numbers: JSON in SQLite, an
// array literal in PostgreSQL.
type ArrayText struct {
	Open, Close byte
	Null        string
}

// JSONArrays are lists as SQLite has them.
var JSONArrays = ArrayText{'[', ']', "null"}

// floats writes the shortest digits that read back as the same float64, and
// NaN as a gap.
func (a ArrayText) floats(values []float64) string {
	buf := make([]byte, 0, 2+12*len(values))
	for i, v := range values {
		buf = append(buf, a.separator(i))
		if v != v {
			buf = append(buf, a.Null...)
		} else {
			buf = strconv.AppendFloat(buf, v, 'g', -1, 64)
		}
	}
	return a.end(buf)
}

func (a ArrayText) parseFloats(text string) ([]float64, error) {
	return parseArray(a, text, func(s string) (float64, error) {
		if s == a.Null {
			return math.NaN(), nil
		}
		v, err := strconv.ParseFloat(s, 64)
		if err == nil && (v != v || v < 0 || math.IsInf(v, 0)) {
			err = fmt.Errorf("sample %q is not a finite number of 0 or more", s)
		}
		return v, err
	})
}

func (a ArrayText) ints(values []int) string {
	var buf []byte
	for i, v := range values {
		buf = strconv.AppendInt(append(buf, a.separator(i)), int64(v), 10)
	}
	return a.end(buf)
}

func (a ArrayText) parseInts(text string) ([]int, error) { return parseArray(a, text, strconv.Atoi) }

// seeds writes strings: SQL has no unsigned 64-bit number.
func (a ArrayText) seeds(values []uint64) string {
	var buf []byte
	for i, v := range values {
		buf = append(buf, a.separator(i), '"')
		buf = append(strconv.AppendUint(buf, v, 10), '"')
	}
	return a.end(buf)
}

func (a ArrayText) parseSeeds(text string) ([]uint64, error) {
	return parseArray(a, text, func(s string) (uint64, error) {
		return strconv.ParseUint(strings.Trim(s, `"`), 10, 64)
	})
}

func (a ArrayText) separator(i int) byte {
	if i == 0 {
		return a.Open
	}
	return ','
}

func (a ArrayText) end(buf []byte) string {
	if len(buf) == 0 {
		buf = append(buf, a.Open)
	}
	return string(append(buf, a.Close))
}

func parseArray[T any](a ArrayText, text string, parse func(string) (T, error)) ([]T, error) {
	n := len(text)
	if n < 2 || text[0] != a.Open || text[n-1] != a.Close {
		return nil, fmt.Errorf("%.40q is not a list", text)
	}
	if n == 2 {
		return nil, nil
	}
	values := make([]T, 0, 1+strings.Count(text, ","))
	for s := range strings.SplitSeq(text[1:n-1], ",") {
		v, err := parse(s)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}
