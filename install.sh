#!/bin/sh
# Installs evaluate on a server with Debian 12, as root:
#
#   ./install.sh [--with-site] [--from SOURCE]
#   ./install.sh --uninstall
#
# Packages of Debian, the program in /opt/evaluate, the command /usr/local/bin/evaluate, the user and group evaluate with
# subordinate numbers, the state directory /var/lib/evaluate, the units evaluate.service and evaluate-helper, and
# shell completion.  --with-site adds evaluate-web.service, and two timers: a backup to
# /var/backups/evaluate and `evaluate prune`, both every night.  SOURCE is what pip installs; by default this checkout, or
# sandbox-evaluate.  May be run again at any time, also to install a newer version.  --uninstall removes all of it but
# Debian's packages, the user, the state directory and the backups.
#
# With DESTDIR set, files are only written below it, by the interpreter in PYTHON, which has evaluate already: for packagers.
set -eu
cd "$(dirname "$0")"

say() { printf '%s\n' "install: $*" >&2; }

source=.
site=
remove=
[ -f pyproject.toml ] || source=sandbox-evaluate
while [ $# -gt 0 ]; do
    case $1 in
    --from)
        source=${2:?--from needs a SOURCE}
        shift
        ;;
    --with-site) site=yes ;;
    --uninstall) remove=yes ;;
    -h | --help)
        sed -n '2,14s/^# \{0,1\}//p' "$0"
        exit
        ;;
    *)
        say "no option $1; ./install.sh --help names those that there are"
        exit 2
        ;;
    esac
    shift
done

root=${DESTDIR:-}
prefix=/opt/evaluate
state=/var/lib/evaluate
python=$prefix/bin/python
units=$root/etc/systemd/system
timers="evaluate-backup.timer evaluate-prune.timer"
has_systemd() { [ -z "$root" ] && [ -d /run/systemd/system ]; }

if [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
    say "this needs root: run it as root, or with sudo"
    exit 3
fi

if [ -n "$remove" ]; then
    state=$(readlink "$root/etc/evaluate/state" || echo "$state")
    if has_systemd; then
        # shellcheck disable=SC2086  # two words
        systemctl disable --quiet --now evaluate evaluate-web evaluate-helper.socket $timers 2>/dev/null || true
    fi
    rm -f "$units"/evaluate.service "$units"/evaluate-web.service "$units"/evaluate-backup.* "$units"/evaluate-prune.* \
        "$units"/evaluate-helper.socket "$units"/evaluate-helper@.service \
        "$root/usr/local/bin/evaluate" \
        "$root/usr/share/bash-completion/completions/evaluate" "$root/usr/share/zsh/vendor-completions/_evaluate" \
        "$root/usr/share/fish/vendor_completions.d/evaluate.fish" "$root/usr/lib/sysusers.d/evaluate.conf" \
        "$root/usr/lib/tmpfiles.d/evaluate.conf" "$root/etc/evaluate/state"
    rm -rf "$root/var/lib/evaluate-helper" "$root$prefix"
    rmdir "$root/etc/evaluate" 2>/dev/null || true
    ! has_systemd || systemctl daemon-reload
    say "removed; $state, the backups and the user evaluate remain"
    exit
fi

if [ -n "$root" ]; then
    python=${PYTHON:?with DESTDIR, PYTHON names an interpreter that has evaluate}
else
    if [ -f evaluate/core/debian-packages.txt ]; then
        say "installing Debian packages"
        apt-get update -qq
        ubuntu=$(grep -Ec '^ID(_LIKE)?=.*ubuntu' /etc/os-release || true)
        awk -v ubuntu="$ubuntu" '{ sub(/#.*/, "") } NF { split($1, name, "|"); print ubuntu && name[2] ? name[2] : name[1] }' \
            evaluate/core/debian-packages.txt |
            DEBIAN_FRONTEND=noninteractive xargs apt-get install -y -qq --no-install-recommends >&2
    fi
    say "installing the program in $prefix"
    [ -x "$python" ] || /usr/bin/python3 -m venv "$prefix"
    # from this checkout, what it needs is what was tested: other files than those of the lock are refused by their hashes
    only=
    if [ "$source" = . ]; then
        "$python" -m pip install --quiet --disable-pip-version-check --require-hashes --requirement ci/server.lock
        only=--no-deps
    fi
    case $source in
    *://* | *@*) wanted="sandbox-evaluate[all] @ $source" ;;
    *) wanted="$source[all]" ;;
    esac
    # shellcheck disable=SC2086  # none, or one word
    "$python" -m pip install --quiet --disable-pip-version-check --upgrade $only "$wanted"
fi

say "writing completion, unit, user"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir "$made/units"
"$python" -m evaluate --state "$state" host service --all "$made/units" --prefix "$prefix"
package=$("$python" -c 'import evaluate; print(*evaluate.__path__)')
completion() { _EVALUATE_COMPLETE=$1 "$python" -c 'from evaluate.commands.main import main; main(prog_name="evaluate")'; }
mkdir -p "$root/usr/local/bin" "$root/usr/share/bash-completion/completions" \
    "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d" \
    "$root/usr/lib/sysusers.d" "$root/usr/lib/tmpfiles.d" "$root/etc/evaluate" "$units"
ln -sfn "$prefix/bin/evaluate" "$root/usr/local/bin/evaluate"
completion bash_source >"$root/usr/share/bash-completion/completions/evaluate"
completion zsh_source >"$root/usr/share/zsh/vendor-completions/_evaluate"
completion fish_source >"$root/usr/share/fish/vendor_completions.d/evaluate.fish"
cp "$package/operate/units/sysusers.conf" "$root/usr/lib/sysusers.d/evaluate.conf"
cp "$package/operate/units/tmpfiles.conf" "$root/usr/lib/tmpfiles.d/evaluate.conf"
cp "$made"/units/evaluate.service "$made"/units/evaluate-helper* "$units/"
[ -z "$site" ] || cp "$made"/units/evaluate-* "$units/"
# where `evaluate` finds the state directory, whichever user types it; kept if the administrator has moved it
[ -L "$root/etc/evaluate/state" ] || ln -s "$state" "$root/etc/evaluate/state"

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
    state=$(readlink /etc/evaluate/state)
    install -d -o evaluate -g evaluate -m 0710 "$state"
    install -d -o evaluate -g evaluate -m 0700 /var/backups/evaluate
    # counting under KVM needs a right that the daemon has not: this copy of perf has it, for the group evaluate alone
    if perf=$(readlink -f "$(command -v perf)") && command -v setcap >/dev/null; then
        install -o root -g evaluate -m 0750 "$perf" "$prefix/bin/perf"
        setcap cap_perfmon+ep "$prefix/bin/perf" || rm -f "$prefix/bin/perf"
    fi
    # as evaluate.yaml says, if there is one
    "$python" -m evaluate host service --all "$made/units"
    cp "$made"/units/evaluate.service "$made"/units/evaluate-helper* "$units/"
    [ -z "$site" ] || cp "$made"/units/evaluate-* "$units/"
    ! has_systemd || systemctl daemon-reload
fi

if [ -n "$site" ]; then
    say "done; next: 'evaluate doctor', then 'systemctl enable --now evaluate evaluate-web $timers'"
else
    say "done; next: 'evaluate doctor', then 'systemctl enable --now evaluate'"
fi
