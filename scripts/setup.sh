# Installs the packages if the lock file is newer, and packs the SDK and the local tools if their sources changed. Every command of
# package.json runs it first: a shell script, because a second npm would take a quarter of a second.
set -e
if [ ! node_modules/.package-lock.json -nt package-lock.json ] || [ ! -x node_modules/.bin/node ]; then
  "${npm_node_execpath:-node}" scripts/setup.js
fi
node scripts/packages.ts
