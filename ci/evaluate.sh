#!/bin/sh
# Evaluates an entry in CI: the plain form, which action.yml and gitlab.yml call.
#
#   ci/evaluate.sh          installs what is missing (Debian 12, root or sudo), or pulls IMAGE, and evaluates
#   ci/evaluate.sh key      prints the key of a cache: the image and the layers of this entry
#
# ENTRY       folder or archive; default: the current directory
# CHALLENGE   name or folder of the challenge
# CONTRACT    instead of it: what the entry was written for, such as physionet-2025; with small sample data
# RECORDS     optional: a folder of your own records
# OUT         where the reports go; default: evaluate-report
# IMAGE       optional: what ci/image.sh made; where docker or podman can pull it, nothing is installed, and all paths are
#             those of files below the current directory
# EVALUATE    a program that is installed already
# EVALUATE_STATE  the state: cache its folders images and layers; the rest has a key that signs, and disks of many GiB
#
# Exit codes: 0 passed, 1 the entry's fault, 2 wrong usage, 3 an infrastructure fault: run the job again.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
ENTRY=${ENTRY:-.}
OUT=${OUT:-evaluate-report}

if [ "${1:-}" = key ]; then
    # recipes of images, and what the entry wants installed; a folder's lists, or the archive itself
    set -- "$here"/vm_images/*/recipe.yaml
    if [ -f "$ENTRY" ]; then
        set -- "$@" "$ENTRY"
    elif [ -d "$ENTRY" ]; then
        for name in dependencies.txt requirements.txt Dockerfile; do
            [ ! -f "$ENTRY/$name" ] || set -- "$@" "$ENTRY/$name"
        done
    else
        echo "evaluate: ENTRY is $ENTRY: expected a folder or an archive, found neither in $PWD" >&2
        exit 2
    fi
    lists=$(cat "$@" | sha256sum)
    printf '%.32s\n' "$lists"
    exit
fi

[ -n "${CONTRACT:-}" ] || : "${CHALLENGE:?set CHALLENGE to the name of the challenge, or CONTRACT}"
engine=
if [ -z "${EVALUATE:-}" ] && [ -n "${IMAGE:-}" ]; then
    for tool in docker podman; do
        if "$tool" pull --quiet "$IMAGE" >/dev/null 2>&1; then
            engine=$tool
            break
        fi
    done
    [ -n "$engine" ] || echo "evaluate: $IMAGE cannot be pulled here, so the program is installed" >&2
fi
if [ -z "${EVALUATE:-}$engine" ]; then
    EXTRAS=vm,plots,images "$here/run" setup # what a try and its report need
    EVALUATE=$here/.venv/bin/evaluate
fi
if [ -n "${EVALUATE_STATE:-}" ]; then
    mkdir -p "$EVALUATE_STATE"
    export EVALUATE_STATE
fi
mkdir -p "$OUT"
if [ -n "${CONTRACT:-}" ]; then set -- --contract "$CONTRACT"; else set -- --challenge "$CHALLENGE"; fi
set -- "$@" --html "$OUT/report.html" --json "$OUT/report.json" --junit "$OUT/junit.xml"
set -- "$@" --summary "$OUT/summary.md"
[ -z "${RECORDS:-}" ] || set -- "$@" --records "$RECORDS"

in_image() {
    # the image's user is another one; its walls need what docs/container.md explains
    layers=$(realpath "${EVALUATE_STATE:-.evaluate-state}")/layers
    mkdir -p "$layers"
    chmod a+rwx "$OUT" "$layers"
    if [ "$engine" = podman ]; then
        set -- --userns=keep-id:uid=1000,gid=1000 --security-opt unmask=ALL "$IMAGE" "$@"
    else
        set -- --security-opt apparmor=unconfined --security-opt systempaths=unconfined "$IMAGE" "$@"
    fi
    [ ! -e /dev/kvm ] || set -- --device /dev/kvm "$@"
    "$engine" run --rm --security-opt seccomp=unconfined \
        --env GIT_CONFIG_COUNT=1 --env GIT_CONFIG_KEY_0=safe.directory --env GIT_CONFIG_VALUE_0='*' \
        --volume "$layers:/home/evaluate/.local/state/evaluate/layers" --volume "$PWD:$PWD" --workdir "$PWD" "$@"
}

code=0
if [ -n "$engine" ]; then
    in_image try "$ENTRY" "$@" || code=$?
else
    "$EVALUATE" try "$ENTRY" "$@" || code=$?
fi
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || [ ! -f "$OUT/summary.md" ] || cat "$OUT/summary.md" >>"$GITHUB_STEP_SUMMARY"
[ "$code" -ne 3 ] || echo "evaluate: the machine failed, not the entry; run the job again" >&2
exit "$code"
