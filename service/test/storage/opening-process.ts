// A separate process for files-and-migrations.test.ts: opens the file, writes to it, and closes it.
import { openStorage } from '../../src/storage/open.ts'
import { TEST_TIMING } from '../support/postgres/storage.ts'

const storage = await openStorage({
  database: { engine: 'sqlite', file: process.argv[2] as string },
  publish: () => {},
  warn: () => {},
  timing: TEST_TIMING,
})
await storage.stores.counters.spend({ scope: 'tenant:one-two', window: 'users', start: 0 }, 1, null)
await storage.close()
