# Installs the packages if the lock file is newer, packs the SDK and the local tools if their sources changed, and with `build`
# bundles the service, too. Every command of package.json runs it first: a shell script, because a second npm would take a quarter
# of a second.
set -e
if [ ! node_modules/.package-lock.json -nt package-lock.json ] || [ ! -x node_modules/.bin/node ]; then
  "${npm_node_execpath:-node}" scripts/setup.js
fi
if [ "${1:-}" = build ]; then
  # In one process: a second one would take a tenth of a second.
  exec node --import ./scripts/packages.ts scripts/build.ts
fi
exec node scripts/packages.ts
