// A separate process for concurrency.test.ts: tries to rotate one session through every generation, and reports the
// generations that it rotated.
import type { Session } from '../../src/domain/sessions/session.ts'
import type { Resource } from '../../src/domain/stores/stores.ts'
import { openStorage, type StorageOptions } from '../../src/storage/open.ts'
import { NOW, refreshSession, rotation, TEST_TIMING } from '../support/postgres/storage.ts'

interface Task {
  readonly database: StorageOptions['database']
  readonly resource: Resource
  readonly session: Session
  readonly rounds: number
}

const { database, resource, session, rounds } = JSON.parse(process.argv[2] as string) as Task
const storage = await openStorage({
  database,
  publish: () => {},
  warn: () => {},
  timing: TEST_TIMING,
})
const { stores } = storage
const salt = Uint8Array.from(Object.values(session.salt))
const won: number[] = []
for (let generation = 0; generation < rounds; ) {
  const next = rotation({ ...session, salt, generation }, NOW + 1 + generation)
  const rotated = await refreshSession(stores, resource, next)
  if (rotated !== null) {
    won.push(rotated.generation)
  }
  generation = (await stores.sessions.find(resource, session.id))?.generation ?? rounds
}
await storage.close()
process.send?.(won)
process.disconnect?.()
