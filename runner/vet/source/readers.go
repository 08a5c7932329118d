package source

import (
	"go/ast"
	"go/types"
	"strings"
)

// readers are the types that give each byte once.
var readers = map[string]bool{
	"*bytes.Buffer": true, "*bytes.Reader": true, "*strings.Reader": true, "*bufio.Reader": true, "*bufio.Scanner": true, "*os.File": true,
	"*encoding/json.Decoder": true, "*encoding/gob.Decoder": true, "*encoding/csv.Reader": true, "*encoding/xml.Decoder": true,
	"io.Reader": true, "io.ReadCloser": true, "*compress/gzip.Reader": true,
}

// readOnce finds a reader from outside the loop that the first operation reads to its end.
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
			b.report(ConsumedRead, call, Likely, v.Name()+" is read to its end by the first operation: those after it find nothing", "a reader for every operation, or "+v.Name()+".Reset before it reads again")
			return true
		})
	}
}

// drained is the reader that a call, or what it calls, reads to its end, or nil.
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

// drained is the reader that a call reads to its end, or nil.
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

// reader is an expression whose type gives each byte once, or nil.
func reader(info *types.Info, e ast.Expr) ast.Expr {
	t := typeOf(info, e)
	if readers[t.String()] || readers["*"+t.String()] {
		return e
	}
	return nil
}

// refilled reports whether a loop's body writes to, resets, or seeks in anything from which a
// reader may get more.
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
