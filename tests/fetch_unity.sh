#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Brings the test framework Unity into .cache/unity, unmodified, from Debian's source of ntpsec.
#
# apt works on a private copy of this machine's sources, turned to deb-src, with lists and caches of
# its own under .cache/apt: nothing outside the project changes. Does nothing if Unity is there.
set -eu

cd "$(dirname "$0")/.."
root=.
. tools/setup.sh

unity=.cache/unity
[ -f $unity/unity.c ] && [ -f $unity/unity.h ] && [ -f $unity/unity_internals.h ] && exit

apt=$PWD/.cache/apt
rm -rf "$apt" $unity
mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/unity"

# Deb822 files say `Types:` once per source; what is disabled there stays disabled.
for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] || continue
    sed 's/^[Tt]ypes:.*/Types: deb-src/' "$file" >"$apt/sources/$(basename "$file")"
done
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] || continue
    sed -n 's/^[[:space:]]*deb\(-src\)\{0,1\}[[:space:]]\{1,\}/deb-src /p' "$file"
done | sort -u >"$apt/sources/one-line.list"

# The hooks cleared here would tidy or index the system's own caches.
cat >"$apt/apt.conf" <<END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$apt/sources";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt/cache";
APT::Sandbox::User "root";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END

echo "Fetching Unity" >&2
log=$apt/log
apt-get -c "$apt/apt.conf" update >"$log" 2>&1 </dev/null || true
(
    cd "$apt"
    setup_logged "$log" apt-get -c "$apt/apt.conf" source --download-only ntpsec || exit 2
    rm -f ./*.asc
    setup_logged "$log" tar -xf ntpsec_*.orig.tar.* -C unity --no-same-owner \
        --strip-components=3 --wildcards '*/tests/unity/*' || exit 2
)
mv "$apt/unity" $unity
