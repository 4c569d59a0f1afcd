import path from 'node:path'
import { test } from 'node:test'
import { run } from '../service/test/support/process/run.ts'

const ROOT = path.resolve(import.meta.dirname, '..')

// `npm run check` leaves out the mutation tool, whose parser is installed only here.
test('TypeScript reports no error in the workshop, the mutation tool included', async () => {
  await run('node_modules/.bin/tsc', ['--noEmit', '--singleThreaded', '--project', 'workshop'], {
    cwd: ROOT,
  })
})
