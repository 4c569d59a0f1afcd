# Installs the packages if the lock file is newer than the last installation that was checked, packs the SDK and the local tools if their sources changed, and with `build`
# bundles the service, too. Every command of package.json runs it first: a shell script, because a second npm would take a quarter
# of a second.
set -e
if [ ! node_modules/.gatehouse-setup -nt package-lock.json ] || [ ! -x node_modules/.bin/node ]; then
  "${npm_node_execpath:-node}" scripts/setup.js
fi
# Without npm, as in `sh scripts/setup.sh`, the packages' Node is not on the PATH.
PATH="$PWD/node_modules/.bin:$PATH"
export PATH
# The cache saves stripping the types of these scripts each time, and one process for both saves a start: a tenth of a second each.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compile"
if [ "${1:-}" = build ]; then
  exec node --import ./scripts/packages.ts scripts/build.ts
fi
exec node scripts/packages.ts
