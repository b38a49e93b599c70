#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: tests/bare/run.sh FOLDER
# Creates a bare Debian 12 in FOLDER with debootstrap (as root), and runs the two commands of README.md in a copy of
# this tree there, each twice. Prints the wall-clock time of each. Not run by `./apus test`.
set -euo pipefail
source_dir=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
root=${1:?usage: tests/bare/run.sh FOLDER}
((EUID == 0)) || { echo 'error: debootstrap needs root' >&2; exit 1; }

[[ -d $root/usr ]] || debootstrap --variant=minbase bookworm "$root"
# Uses this machine's package sources if they are Debian's own files.
for file in /etc/apt/sources.list.d/debian.sources /etc/apt/apt.conf.d/*; do
    [[ -f $file && $(basename "$file") != *docker* ]] && cp "$file" "$root/${file#/}"
done
[[ ! -f $root/etc/apt/sources.list.d/debian.sources ]] || rm -f "$root/etc/apt/sources.list"
cp /etc/resolv.conf "$root/etc/"

rm -rf "$root/apus" && mkdir "$root/apus"
tar -C "$source_dir" --exclude=./build --exclude=./.git -c . | tar -C "$root/apus" -x
# Runs a command in a mount namespace of its own, whose root is FOLDER. A chroot would not do: the kernel refuses user
# namespaces in it, which some tests create.
inside=(unshare --mount bash -ec '
    mount --rbind "$0" "$0"
    cd "$0"
    for at in proc sys dev; do mount --bind "/$at" "$at"; done
    mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts dev/pts
    mount --bind dev/pts/ptmx dev/ptmx
    pivot_root . mnt
    cd /
    umount --lazy /mnt
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/ NO_COLOR=1 "$@"' "$root")

timed() {  # timed COMMAND...
    local begin=$EPOCHREALTIME status=0
    "$@" || status=$?
    echo "$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }') s: $* (exit status $status)"
}

served() {  # waits until the showcase responds, then stops it
    if (exec 3<> /dev/tcp/127.0.0.1/8080) 2> /dev/null; then
        echo 'error: another process listens on port 8080' >&2
        return 1
    fi
    "${inside[@]}" /apus/apus run &
    local run=$! tries
    for ((tries = 0; tries < 6000; ++tries)); do
        if (exec 3<> /dev/tcp/127.0.0.1/8080) 2> /dev/null; then break; fi
        kill -0 "$run" 2> /dev/null || return 1
        sleep 0.1
    done
    kill -TERM "$run"
    wait "$run"
}

tested() { "${inside[@]}" /apus/apus test; }

timed served
timed served
timed tested
timed tested
