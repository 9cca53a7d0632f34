//go:build !old

package main

import (
	"reflect"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

var protoMessage = reflect.TypeOf((*proto.Message)(nil)).Elem()

func init() {
	// Istio's specs are protocol buffer messages, whose Go fields are not the fields of their JSON.
	message = func(t reflect.Type) (string, bool) {
		if !reflect.PointerTo(t).Implements(protoMessage) {
			return "", false
		}
		return describe(reflect.New(t).Interface().(proto.Message).ProtoReflect().Descriptor()), true
	}
}

func describe(descriptor protoreflect.MessageDescriptor) string {
	id := string(descriptor.FullName())
	if strings.HasPrefix(id, "google.protobuf.") {
		return ""
	}
	if _, known := types[id]; known {
		return id
	}
	fields := map[string]string{}
	types[id] = fields
	for i := 0; i < descriptor.Fields().Len(); i++ {
		field := descriptor.Fields().Get(i)
		below := ""
		switch {
		case field.IsMap():
			if value := field.MapValue(); value.Message() != nil {
				if inner := describe(value.Message()); inner != "" {
					below = "*" + inner
				}
			}
		case field.Message() != nil:
			below = describe(field.Message())
		}
		fields[field.JSONName()] = below
	}
	return id
}
