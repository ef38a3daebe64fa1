#!/usr/bin/env bash
# Builds the wheel and tests it from Python, in a virtual environment of its own: crates/python/test.sh
# `crates/python/test.sh speed` prints the speeds instead, beside those of OpenSpiel and PettingZoo.
set -euo pipefail
cd "$(dirname "$0")"

target="$(cargo metadata --format-version 1 --no-deps | python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')"
environment="$target/python"
profile="$(sed -n 's/^profile = "\(.*\)"/\1/p' pyproject.toml)"

step() {
    local started=$SECONDS
    echo "-- $*"
    "$@"
    echo "-- done in $((SECONDS - started)) s"
}

python3 -m venv "$environment"
export PATH="$environment/bin:$PATH" VIRTUAL_ENV="$environment"
step pip install --quiet --disable-pip-version-check --requirement requirements-test.txt

rm -rf "$target/wheels"
step maturin build --locked --quiet --out "$target/wheels"
step pip install --quiet --disable-pip-version-check --no-deps --force-reinstall "$target"/wheels/gamesearch-*.whl
step cargo build --quiet --locked --package python --example native --profile "$profile"
export GAMESEARCH_NATIVE="$target/$profile/examples/native"

if [ "${1:-}" = speed ]; then
    exec python speed.py
fi

step ruff format --check .
step ruff check .
# From elsewhere, so that what is installed is checked and not the sources.
step env --chdir="$environment" python -m mypy --config-file "$PWD/pyproject.toml" --package gamesearch
step env --chdir="$environment" python -m mypy.stubtest --mypy-config-file "$PWD/pyproject.toml" \
    --allowlist "$PWD/stubtest-allowlist.txt" gamesearch
step python -m pytest --quiet tests "$@"
