#!/bin/sh
# Installs the Debian packages that are missing, or says the line when it may not.
#
#     tools/deps.sh         what building and serving need, also the demo
#     tools/deps.sh check   these, and what tests need: a browser, fuzzers, tools to look at results
#     tools/deps.sh peer    what models are compared with (PyTorch), and statistics (statsmodels, NLTK)
#     tools/deps.sh bench   what speed is compared with
#     tools/deps.sh nightly what the nightly run's Slurm is
set -eu
build='gcc make pkg-config libc6-dev libmicrohttpd-dev libsqlite3-dev libjansson-dev libjpeg62-turbo-dev libspng-dev
libdnnl-dev libopenblas0-serial libfreetype-dev libsodium-dev libgnutls28-dev libinih-dev libcmark-dev fonts-noto-color-emoji'
tests='libcmocka-dev libcurl4-openssl-dev universal-ctags clang libclang-rt-14-dev xz-utils sqlite3 wordnet-base
chromium-headless-shell fonts-dejavu-core python3'
case ${1:-} in
'') packages=$build ;;
check) packages="$build $tests" ;;
peer) packages='python3-torch python3-torchvision python3-onnx python3-statsmodels python3-nltk python3-scipy' ;;
bench) packages='nginx-light wrk libvips-tools curl g++ libfaiss-dev libopenblas-pthread-dev python3-skimage python3-numpy' ;;
nightly) packages='slurm-wlm munge' ;;
*) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
if [ -n "${1:-}" ]; then
    command -v node >/dev/null 2>&1 || packages="$packages nodejs"
    command -v npm >/dev/null 2>&1 || packages="$packages npm"
fi
missing=
for p in $packages; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -n "$missing" ] || { echo 'All packages are installed.'; exit 0; }
as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1 || ! sudo -n true 2>/dev/null; then
        printf 'These packages are missing. As root, run:\n\n    apt-get update && apt-get install -y --no-install-recommends%s\n\n' "$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
$as_root apt-get update -qq
# The browser of the tests without its windows; releases that do not have it apart have it whole.
apt-cache show chromium-headless-shell >/dev/null 2>&1 ||
    missing=$(echo "$missing" | sed s/chromium-headless-shell/chromium/)
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
