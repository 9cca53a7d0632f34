"""admissionregistration.k8s.io and apiregistration.k8s.io: Services that the API server calls."""

from typing import ClassVar

from pydantic import Field

from netlint.resources.base import KubernetesObject, Model


class ServiceReference(Model):
    """A Service and its port, 443 where none is given."""

    namespace: str | None = None
    name: str | None = None
    path: str | None = None
    port: int | None = None


class WebhookClientConfig(Model):
    url: str | None = None
    service: ServiceReference | None = None


class Webhook(Model):
    name: str | None = None
    client_config: WebhookClientConfig | None = None
    failure_policy: str | None = None


class WebhookConfiguration(KubernetesObject):
    """What both kinds of webhook configuration have in common."""

    GROUP: ClassVar[str] = "admissionregistration.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    webhooks: list[Webhook] | None = None


class MutatingWebhookConfiguration(WebhookConfiguration):
    """admissionregistration.k8s.io MutatingWebhookConfiguration."""


class ValidatingWebhookConfiguration(WebhookConfiguration):
    """admissionregistration.k8s.io ValidatingWebhookConfiguration."""


class APIServiceSpec(Model):
    service: ServiceReference | None = None
    group: str | None = None
    version: str | None = None


class APIService(KubernetesObject):
    """apiregistration.k8s.io APIService; without a service the API server itself serves the group."""

    GROUP: ClassVar[str] = "apiregistration.k8s.io"
    NAMESPACED: ClassVar[bool] = False

    spec: APIServiceSpec = Field(default_factory=APIServiceSpec)


KINDS: dict[str, type[KubernetesObject]] = {
    "MutatingWebhookConfiguration": MutatingWebhookConfiguration,
    "ValidatingWebhookConfiguration": ValidatingWebhookConfiguration,
    "APIService": APIService,
}
