package vet

import (
	"go/ast"
	"go/types"
	"strings"
)

// readers lists stream types, which return each byte only once.
var readers = map[string]bool{
	"*bytes.Buffer": true, "*bytes.Reader": true, "*strings.Reader": true, "*bufio.Reader": true, "*bufio.Scanner": true, "*os.File": true,
	"*encoding/json.Decoder": true, "*encoding/gob.Decoder": true, "*encoding/csv.Reader": true, "*encoding/xml.Decoder": true,
	"io.Reader": true, "io.ReadCloser": true, "*compress/gzip.Reader": true,
}

// readOnce finds readers declared outside the loop and consumed by the first operation.
func (b *benchmark) readOnce() {
	for _, l := range b.loops {
		b.inspect(l.body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			e := b.drained(call)
			if e == nil {
				return true
			}
			v := b.pkg.root(e)
			if v == nil || within(v.Pos(), l.body) || b.refilled(v, l.body) {
				return true
			}
			b.report(ConsumedRead, call, Likely, "the first operation reads "+v.Name()+" to its end, so later operations read nothing", "a new reader for every operation, or "+v.Name()+".Reset")
			return true
		})
	}
}

// drained returns the reader that a call consumes, directly or indirectly, or nil.
func (b *benchmark) drained(call *ast.CallExpr) ast.Expr {
	if e := drained(b.pkg.info, call); e != nil {
		return e
	}
	d, ours := b.ours(call)
	for i, arg := range call.Args {
		if ours && reader(b.pkg.info, arg) != nil && b.pkg.reads(d, d.parameter(i), 0) {
			return arg
		}
	}
	return nil
}

// drained returns the reader that a call consumes directly, or nil.
func drained(info *types.Info, call *ast.CallExpr) ast.Expr {
	f := callee(info, call)
	if f == nil {
		return nil
	}
	switch f.FullName() {
	case "io.ReadAll", "io/ioutil.ReadAll", "bufio.NewScanner", "bufio.NewReader", "bufio.NewReaderSize", "encoding/json.NewDecoder", "encoding/csv.NewReader",
		"encoding/xml.NewDecoder", "encoding/gob.NewDecoder", "compress/gzip.NewReader", "image.Decode", "image/png.Decode", "image/jpeg.Decode":
		return reader(info, call.Args[0])
	case "io.Copy":
		return reader(info, call.Args[1])
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	switch s.Sel.Name {
	case "ReadAll", "Decode", "Scan", "WriteTo":
		return reader(info, s.X)
	case "ReadFrom":
		if len(call.Args) > 0 {
			return reader(info, call.Args[0])
		}
	}
	return nil
}

// reader returns e if its type returns each byte only once, and otherwise nil.
func reader(info *types.Info, e ast.Expr) ast.Expr {
	t := typeOf(info, e)
	if readers[t.String()] || readers["*"+t.String()] {
		return e
	}
	return nil
}

// refilled reports whether the loop body might refill the reader v, by assigning to it, or by
// writing to, resetting or seeking any value.
func (b *benchmark) refilled(v types.Object, body ast.Node) (filled bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !filled
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		name := s.Sel.Name
		filled = filled || strings.HasPrefix(name, "Reset") || name == "Seek" || strings.HasPrefix(name, "Write") && name != "WriteTo" || name == "Encode" || strings.HasPrefix(name, "Unread") ||
			strings.HasPrefix(b.pkg.fullName(call), "fmt.Fprint")
		return !filled
	})
	return filled || b.assigned(v, body)
}
