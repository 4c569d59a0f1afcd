#!/usr/bin/env node
import module from 'node:module'

// Node 22 and newer: cached compilation cuts the start-up time to a third.
module.enableCompileCache?.()

// The reader may close the pipe early: `gatehouse-local events --follow | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    throw error
  }
  process.exit(0)
})

if (process.argv[2] === 'mcp' && !process.argv.includes('--help') && !process.argv.includes('-h')) {
  const { answerFirst } = await import('./cli/first-answers.ts')
  await answerFirst()
}

const { run } = await import('./cli/run.ts')

// Not process.exit(): it would drop output that is still buffered for a pipe, and `mcp` runs until its input ends.
process.exitCode = await run(process.argv.slice(2))
