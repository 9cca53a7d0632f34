// Command schemas prints the legal field names of Kubernetes API kinds, read by reflection from the Go types.
//
// Output: {"types": {id: {field: reference}}, "kinds": {"group/version/Kind": id}}, where a reference is "" for a
// value that is not looked into, an id for an object or a list of objects, and "*" + id for a map of objects.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var (
	unmarshaler = reflect.TypeOf((*json.Unmarshaler)(nil)).Elem()
	objectMeta  = reflect.TypeOf(metav1.ObjectMeta{})
	types       = map[string]map[string]string{}
	kinds       = map[string]string{}
	// message reads a type that is a protocol buffer message; nil where the build has none.
	message func(reflect.Type) (string, bool)
)

func reference(t reflect.Type) string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if message != nil && t.Kind() == reflect.Struct {
		if id, is := message(t); is {
			return id
		}
	}
	if t.Implements(unmarshaler) || reflect.PointerTo(t).Implements(unmarshaler) {
		return ""
	}
	switch t.Kind() {
	case reflect.Map:
		inner := reference(t.Elem())
		if inner == "" || strings.HasPrefix(inner, "*") {
			return ""
		}
		return "*" + inner
	case reflect.Struct:
		id := t.PkgPath() + "." + t.Name()
		if _, known := types[id]; !known {
			fields := map[string]string{}
			types[id] = fields
			walk(t, fields)
		}
		return id
	}
	return ""
}

func walk(t reflect.Type, fields map[string]string) {
	for i := 0; i < t.NumField(); i++ {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || (!field.IsExported() && !field.Anonymous) {
			continue
		}
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if (name == "" && field.Anonymous) || strings.Contains(options, "inline") {
			if inner.Kind() == reflect.Struct {
				walk(inner, fields)
			}
			continue
		}
		if name == "" {
			name = field.Name
		}
		if name == "status" && t.NumField() <= 5 {
			fields[name] = "" // written by the server: not ours to check
			continue
		}
		fields[name] = reference(field.Type)
	}
}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range groups {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	for kind, t := range scheme.AllKnownTypes() {
		meta, ok := t.FieldByName("ObjectMeta")
		if !ok || meta.Type != objectMeta || kind.Version == runtime.APIVersionInternal {
			continue
		}
		kinds[kind.Group+"/"+kind.Version+"/"+kind.Kind] = reference(t)
	}
	output := json.NewEncoder(os.Stdout)
	output.SetIndent("", " ")
	if err := output.Encode(map[string]any{"types": types, "kinds": kinds}); err != nil {
		panic(err)
	}
}
