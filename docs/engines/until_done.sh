#!/bin/sh
# Collects, and hands the missing pieces to a command on its input, a path on each line, until all is done:
#
#   sh until_done.sh FOLDER RUN COMMAND...
#   sh until_done.sh work runs/whole xargs gamesearch work
#
# Ends with 0 when all is done, with the code of `collect` when that fails, and with 1 when TRIES rounds in a row (3 unless
# set) brought nothing: then every piece that is left fails everywhere. GAMESEARCH is the program, if it is not on the path.
set -u
if [ $# -lt 3 ]; then
    echo "usage: sh until_done.sh FOLDER RUN COMMAND..." >&2
    exit 2
fi
folder=$1
run=$2
shift 2
tries=${TRIES:-3}
missing=$(mktemp) && before=$(mktemp) || exit 1
trap 'rm -f "$missing" "$before"' EXIT
trap 'exit 130' INT TERM
in_vain=0
while :; do
    "${GAMESEARCH:-gamesearch}" collect "$folder" --out "$run" --list >"$missing"
    code=$?
    # 3 is "more to do"; anything else but 0 will not get better by trying again.
    [ "$code" -eq 3 ] || exit "$code"
    if cmp -s "$missing" "$before"; then
        in_vain=$((in_vain + 1))
        if [ "$in_vain" -ge "$tries" ]; then
            echo "$in_vain rounds in a row brought nothing; these pieces fail:" >&2
            cat "$missing" >&2
            exit 1
        fi
    else
        in_vain=0
    fi
    cp "$missing" "$before"
    "$@" <"$missing"
done
