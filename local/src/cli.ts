#!/usr/bin/env node
import module from 'node:module'

// Since Node 22 a program may keep what was compiled once: an agent that starts us waits a third of the time.
module.enableCompileCache?.()

// Whoever reads our output may have read enough: `gatehouse-local events --follow | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const { run } = await import('./cli/run.ts')

// Not process.exit: what is still on its way to a pipe would be lost, and `mcp` goes on until its input ends.
process.exitCode = await run(process.argv.slice(2))
