//go:build !old

package main

import (
	rolloutsv1alpha1 "github.com/argoproj/argo-rollouts/pkg/apis/rollouts/v1alpha1"
	contourv1 "github.com/projectcontour/contour/apis/projectcontour/v1"
	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	istiov1 "istio.io/client-go/pkg/apis/networking/v1"
	istiov1alpha3 "istio.io/client-go/pkg/apis/networking/v1alpha3"
	istiov1beta1 "istio.io/client-go/pkg/apis/networking/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1alpha2 "sigs.k8s.io/gateway-api/apis/v1alpha2"
	gatewayv1alpha3 "sigs.k8s.io/gateway-api/apis/v1alpha3"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"
	policyv1alpha1 "sigs.k8s.io/network-policy-api/apis/v1alpha1"
	policyv1alpha2 "sigs.k8s.io/network-policy-api/apis/v1alpha2"
)

var groups = []func(*runtime.Scheme) error{
	scheme.AddToScheme,
	apiregistrationv1.AddToScheme,
	contourv1.AddToScheme,
	istiov1.AddToScheme,
	istiov1alpha3.AddToScheme,
	istiov1beta1.AddToScheme,
	monitoringv1.AddToScheme,
	gatewayv1.Install,
	gatewayv1beta1.Install,
	gatewayv1alpha2.Install,
	gatewayv1alpha3.Install,
	policyv1alpha1.Install,
	policyv1alpha2.Install,
	rolloutsv1alpha1.AddToScheme,
}
