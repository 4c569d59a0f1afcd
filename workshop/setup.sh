# Prepares what every command needs (scripts/setup.sh, with its arguments), and installs the packages of the workshop if its lock
# file is newer than the last installation.
set -e
sh scripts/setup.sh "$@"
if [ ! workshop/node_modules/.package-lock.json -nt workshop/package-lock.json ]; then
  npm ci --prefix workshop --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
fi
