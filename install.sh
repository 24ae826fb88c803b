#!/bin/sh
# Installs evaluate on a server with Debian 12, as root:
#
#   ./install.sh [--from SOURCE]    SOURCE: what pip installs; by default this checkout, or sandbox-evaluate
#
# Packages of Debian, the program in /opt/evaluate, the command /usr/local/bin/evaluate, the user and group evaluate with
# subordinate numbers, the state directory /var/lib/evaluate, the unit evaluate.service, manual pages, shell completion and
# the list of what is installed (SBOM).  May be run again at any time, also to install a newer version.
#
# With DESTDIR set, files are only written below it, by the interpreter in PYTHON, which has evaluate already: for packagers.
set -eu
cd "$(dirname "$0")"

say() { printf '%s\n' "install: $*" >&2; }

source=.
[ -f pyproject.toml ] || source=sandbox-evaluate
case "${1:-}" in
--from) source=${2:?--from needs a SOURCE} ;;
'') ;;
*)
    sed -n '2,11s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac

root=${DESTDIR:-}
prefix=/opt/evaluate
state=/var/lib/evaluate
python=$prefix/bin/python

if [ -n "$root" ]; then
    python=${PYTHON:?with DESTDIR, PYTHON names an interpreter that has evaluate}
else
    if [ "$(id -u)" -ne 0 ]; then
        say "this needs root: run it as root, or with sudo"
        exit 3
    fi
    if [ -f evaluate/core/debian-packages.txt ]; then
        say "installing Debian packages"
        apt-get update -qq
        sed 's/#.*//' evaluate/core/debian-packages.txt | while read -r package _; do echo "$package"; done |
            DEBIAN_FRONTEND=noninteractive xargs apt-get install -y -qq --no-install-recommends >&2
    fi
    say "installing the program in $prefix"
    [ -x "$python" ] || /usr/bin/python3 -m venv "$prefix"
    case $source in
    *://* | *@*) wanted="sandbox-evaluate[all] @ $source" ;;
    *) wanted="$source[all]" ;;
    esac
    "$python" -m pip install --quiet --disable-pip-version-check --upgrade "$wanted"
fi

say "writing manual pages, completion, unit, user"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$python" -m evaluate.commands.distribution "$made"
mkdir -p "$root/usr/local/bin" "$root/usr/local/share/man/man1" "$root/usr/share/bash-completion/completions" \
    "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d" "$root/usr/share/doc/evaluate" \
    "$root/usr/lib/sysusers.d" "$root/usr/lib/tmpfiles.d" "$root/etc/systemd/system"
ln -sfn "$prefix/bin/evaluate" "$root/usr/local/bin/evaluate"
cp "$made"/man/man1/*.1 "$root/usr/local/share/man/man1/"
cp "$made/completions/evaluate.bash" "$root/usr/share/bash-completion/completions/evaluate"
cp "$made/completions/_evaluate" "$root/usr/share/zsh/vendor-completions/_evaluate"
cp "$made/completions/evaluate.fish" "$root/usr/share/fish/vendor_completions.d/evaluate.fish"
cp "$made/sbom.cdx.json" "$root/usr/share/doc/evaluate/sbom.cdx.json"
cp "$made/systemd/sysusers.conf" "$root/usr/lib/sysusers.d/evaluate.conf"
cp "$made/systemd/tmpfiles.conf" "$root/usr/lib/tmpfiles.d/evaluate.conf"
cp "$made/systemd/evaluate.service" "$root/etc/systemd/system/evaluate.service"

if [ -z "$root" ]; then
    if command -v systemd-sysusers >/dev/null; then
        systemd-sysusers /usr/lib/sysusers.d/evaluate.conf
    elif ! id evaluate >/dev/null 2>&1; then
        useradd --system --user-group --home-dir "$state" --shell /usr/sbin/nologin evaluate
        ! getent group kvm >/dev/null || usermod --append --groups kvm evaluate
    fi
    for numbers in /etc/subuid /etc/subgid; do
        # the guests' images are made in a user namespace; a system user gets no numbers by itself
        grep -q '^evaluate:' "$numbers" 2>/dev/null || echo 'evaluate:2000000:65536' >>"$numbers"
    done
    install -d -o evaluate -g evaluate -m 0710 "$state"
    # as evaluate.yaml says, if there is one
    "$python" -m evaluate --state "$state" service >"$made/unit"
    cp "$made/unit" /etc/systemd/system/evaluate.service
    [ ! -d /run/systemd/system ] || systemctl daemon-reload
fi

say "done; next: 'evaluate doctor', then 'systemctl enable --now evaluate'"
