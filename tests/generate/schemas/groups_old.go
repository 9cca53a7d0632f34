//go:build old

package main

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

var groups = []func(*runtime.Scheme) error{scheme.AddToScheme}
