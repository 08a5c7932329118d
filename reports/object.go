package reports

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
)

// An Object describes a JSON object by the keys and values of its fields, in order. A value is an
// Object, a slice, a map or anything else that encoding/json accepts. To read an Object, its values
// must be pointers. An infinite number is written as null.
type Object [][2]any

// Optional marks the value of a field as optional. The field is omitted if value is 0, "", false or
// empty.
func Optional(value any) any { return optionalValue{value} }

type optionalValue struct{ any }

// Unset is the value of a field that only [Report.With] sets. The field is omitted until then.
var Unset = Optional("")

// A described value defines how it is written and read.
type described interface {
	value() any // an Object, a slice of Objects, a number, or nil for null
	read(text json.RawMessage) error
}

// Objects makes an array of objects from a slice. describe returns the fields of an element.
func Objects[T any](elements *[]T, describe func(*T) Object) any { return array[T]{elements, describe} }

type array[T any] struct {
	elements *[]T
	describe func(*T) Object
}

func (a array[T]) value() any {
	objects := []Object{}
	for i := range *a.elements {
		objects = append(objects, a.describe(&(*a.elements)[i]))
	}
	return objects
}

func (a array[T]) read(text json.RawMessage) error {
	var objects []json.RawMessage
	if err := json.Unmarshal(text, &objects); err != nil {
		return err
	}
	*a.elements = make([]T, len(objects))
	for i, object := range objects {
		if err := a.describe(&(*a.elements)[i]).read(object); err != nil {
			return err
		}
	}
	return nil
}

// Pointed turns a function that describes a T into one that describes a *T. The new function
// allocates the value if the pointer is nil.
func Pointed[T any](describe func(*T) Object) func(**T) Object {
	return func(at **T) Object {
		if *at == nil {
			*at = new(T)
		}
		return describe(*at)
	}
}

// Part returns an object as the value of a field. The field is omitted if *at is nil.
func Part[T any](at **T, describe func(*T) Object) any { return Optional(pointer[T]{at, describe}) }

type pointer[T any] struct {
	at       **T
	describe func(*T) Object
}

func (p pointer[T]) value() any {
	if *p.at == nil {
		return nil
	}
	return p.describe(*p.at)
}

func (p pointer[T]) read(text json.RawMessage) error { return Pointed(p.describe)(p.at).read(text) }

// Known returns a number as the value of a field. The number is written as null unless ok is set.
func Known(number *float64, ok bool) any { return knownNumber{number, ok} }

type knownNumber struct {
	number *float64
	ok     bool
}

func (k knownNumber) value() any {
	if !k.ok {
		return nil
	}
	return k.number
}

func (k knownNumber) read(text json.RawMessage) error {
	return readInto(text, reflect.ValueOf(k.number).Elem())
}

// encode writes a value as JSON without spaces.
func encode(b *bytes.Buffer, value any) error {
	switch v := value.(type) {
	case nil:
		b.WriteString("null")
		return nil
	case described:
		return encode(b, v.value())
	case Object:
		return v.encode(b)
	case map[string]any:
		var sorted Object
		for _, key := range slices.Sorted(maps.Keys(v)) {
			sorted = append(sorted, [2]any{key, v[key]})
		}
		return sorted.encode(b)
	}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Pointer:
		return encode(b, v.Elem().Interface())
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return encode(b, nil)
		}
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := encode(b, v.Index(i).Interface()); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return encode(b, nil)
		}
	}
	plain := json.NewEncoder(b)
	plain.SetEscapeHTML(false)
	if err := plain.Encode(value); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the newline that Encode adds
	return nil
}

func (o Object) encode(b *bytes.Buffer) error {
	b.WriteByte('{')
	separator := ""
	for _, field := range o {
		value := field[1]
		if v, ok := value.(optionalValue); ok {
			if value = v.any; empty(value) {
				continue
			}
		}
		b.WriteString(separator)
		separator = ","
		if err := encode(b, field[0]); err != nil {
			return err
		}
		b.WriteByte(':')
		if err := encode(b, value); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// empty reports whether an optional field with this value is omitted.
func empty(value any) bool {
	if v, ok := value.(described); ok {
		value = v.value()
	}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer:
		return empty(v.Elem().Interface())
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	default:
		return v.IsZero()
	}
}

// read fills the pointer fields of the object. A null number becomes NaN.
func (o Object) read(text json.RawMessage) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	for _, field := range o {
		text, ok := fields[field[0].(string)]
		if !ok {
			continue
		}
		if err := readValue(text, field[1]); err != nil {
			return err
		}
	}
	return nil
}

func readValue(text json.RawMessage, value any) error {
	switch v := value.(type) {
	case optionalValue:
		return readValue(text, v.any)
	case described:
		return v.read(text)
	case Object:
		return v.read(text)
	}
	if v := reflect.ValueOf(value); v.Kind() == reflect.Pointer {
		return readInto(text, v.Elem())
	}
	return nil // a derived value, which is not read
}

func readInto(text json.RawMessage, v reflect.Value) error {
	switch {
	case v.Kind() == reflect.Float64 && string(text) == "null":
		v.SetFloat(math.NaN())
		return nil
	case v.Kind() == reflect.Array:
		var elements []json.RawMessage
		if err := json.Unmarshal(text, &elements); err != nil {
			return err
		}
		for i := range min(v.Len(), len(elements)) {
			if err := readInto(elements[i], v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	return json.Unmarshal(text, v.Addr().Interface())
}
