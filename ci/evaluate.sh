#!/bin/sh
# Evaluates an entry in CI: the plain form, which action.yml and gitlab.yml call.
#
#   ci/evaluate.sh          installs what is missing (Debian 12, root or sudo), and evaluates
#   ci/evaluate.sh key      prints the key of a cache: the image and the layers of this entry
#
# ENTRY       folder or archive; default: the current directory
# CHALLENGE   name or folder of the challenge
# CONTRACT    instead of it: what the entry was written for, such as physionet-2025; with small sample data
# RECORDS     optional: a folder of your own records
# COMPARE_TO  optional: the report.json of an earlier run; the job fails where this one is worse than it may be
# MAX_INSTRUCTIONS  how many more instructions it may use, such as +5%
# MIN_SCORE   how much the score may lose, such as -0.01
# OUT         where the reports go; default: evaluate-report
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
if [ -z "${EVALUATE:-}" ]; then
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
[ -z "${GITHUB_ACTIONS:-}" ] || set -- "$@" --annotations
if [ -n "${COMPARE_TO:-}" ] && [ ! -f "$COMPARE_TO" ]; then
    echo "evaluate: $COMPARE_TO: no such file, so nothing is compared" >&2
elif [ -n "${COMPARE_TO:-}" ]; then
    set -- "$@" --compare-to "$COMPARE_TO"
    [ -z "${MAX_INSTRUCTIONS:-}" ] || set -- "$@" --max-instructions "$MAX_INSTRUCTIONS"
    [ -z "${MIN_SCORE:-}" ] || set -- "$@" --min-score "$MIN_SCORE"
fi

code=0
"$EVALUATE" try "$ENTRY" "$@" || code=$?
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || [ ! -f "$OUT/summary.md" ] || cat "$OUT/summary.md" >>"$GITHUB_STEP_SUMMARY"
[ "$code" -ne 3 ] || echo "evaluate: the machine failed, not the entry; run the job again" >&2
exit "$code"
