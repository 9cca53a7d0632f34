#!/bin/sh
# Writes netlint/resources/schemas/field_names.json anew. Needs go, the Go module proxy, and ../shared for the CRDs.
#   tests/generate/schemas/generate.sh PYTHON CRD.yaml [CRD.yaml ...]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
python=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here" && go run . >"$work/new.json")
for version in v0.21.14 v0.26.15 v0.31.14; do
	mkdir "$work/$version"
	# reflect.PointerTo is newer than the language version that the old modules ask for.
	sed 's/reflect\.PointerTo/reflect.PtrTo/' "$here/main.go" >"$work/$version/main.go"
	cp "$here/groups_old.go" "$work/$version/"
	(
		cd "$work/$version"
		printf 'module netlint.local/generate\ngo 1.20\n' >go.mod
		go get "k8s.io/client-go@$version" "k8s.io/api@$version" "k8s.io/apimachinery@$version"
		GOFLAGS=-mod=mod go run -tags old . >"$work/old-$version.json"
	)
done
"$python" "$here/merge.py" "$root/netlint/resources/schemas/field_names.json" "$work"/*.json -- "$@"
