#!/usr/bin/env node
// The command of the package `gatehouse-auth` and of the executable: without arguments it runs the service, with arguments it is the operator's command.
// Plain JavaScript, so that an old Node says what it needs instead of a syntax error.
import { existsSync } from 'node:fs'
import module from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Gatehouse needs Node 22.18 or newer, and this is ${process.versions.node}.\n`,
  )
  process.exit(1)
}
// Node 22 warns about node:sqlite at every start. It is what we test with, and there is nothing for an operator to do.
const { emitWarning } = process
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).startsWith('SQLite is an experimental feature')) {
    emitWarning.call(process, warning, ...rest)
  }
}
module.enableCompileCache?.()
if (existsSync('.env')) {
  process.loadEnvFile()
}
void run(process.argv.slice(2))

// A function, because the main file of the executable is CommonJS, which has no `await` outside of one.
async function run(args) {
  // The arguments of a worker of the executable are those of Node (service/src/workers.ts).
  if (args.length === 0 || process.env.GATEHOUSE_WORKER !== undefined) {
    const { main } = await import('../src/main.ts')
    await main(process.env)
    return
  }

  const { gatehouse } = await import('../src/gatehouse.ts')
  process.exitCode = await gatehouse(args, process.env)
}
