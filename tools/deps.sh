#!/bin/sh
# Installs the Debian packages that building and testing need; says the line when it may not.
# `deps.sh peer`: those that the comparison with PyTorch needs.
set -eu
packages='gcc make pkg-config libc6-dev libmicrohttpd-dev libsqlite3-dev libjansson-dev
libjpeg62-turbo-dev libspng-dev libdnnl-dev libopenblas0-serial libfreetype-dev libsodium-dev
libinih-dev libcmocka-dev libcurl4-openssl-dev universal-ctags clang libclang-rt-14-dev xz-utils sqlite3 wordnet-base chromium fonts-dejavu-core
fonts-noto-color-emoji'
[ "${1:-}" != peer ] || packages='python3-torch python3-torchvision python3-onnx'
command -v node >/dev/null 2>&1 || packages="$packages nodejs"
command -v npm >/dev/null 2>&1 || packages="$packages npm"
missing=
for p in $packages; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -n "$missing" ] || { echo 'All packages are installed.'; exit 0; }
line="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $line
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo apt-get update -qq
    sudo DEBIAN_FRONTEND=noninteractive $line
else
    printf 'These packages are missing. As root, run:\n\n    apt-get update && %s\n\n' "$line" >&2
    exit 1
fi
