import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AskedServer } from '../../../domain/lineage.ts'
import { PrimaryMonitor } from './primary-monitor.ts'
import { serverConfig } from './server-config.ts'

const PRIMARY = 'postgres://127.0.0.1:1/gatehouse'
const STANDBY = 'postgres://127.0.0.1:2/gatehouse'
const LINEAGE = { timeline: 1, mark: 'first', ancestors: '', since_ms: 1, former_timeline: null }
const FENCE = { ...LINEAGE, lost_first: null, lost_last: null, id_floor: null }

const asked = (url: string, mark: string | null): AskedServer => ({
  url,
  server: url,
  isStandby: url === STANDBY,
  mark,
  ancestors: [],
  timeline: url === STANDBY ? 0 : 1,
  sinceMs: mark === null ? 0 : 1,
})

/** Asks once; `primaryMarks` are the responses of the primary, one for each time that it is asked. */
async function refusalAfterAsking(
  primaryMarks: (string | null)[],
): Promise<{ refusal: string | null; unused: number }> {
  const config = serverConfig('postgres://127.0.0.1:1,127.0.0.1:2/gatehouse', () => {})
  const monitor = new PrimaryMonitor(
    config,
    () => {},
    [],
    async (_, url) => {
      if (url === STANDBY) {
        return asked(STANDBY, null)
      }
      const mark = primaryMarks.shift() ?? null
      // Meanwhile the first connection of the process starts the lineage on the primary.
      config.lineage.accept({}, FENCE)
      return asked(PRIMARY, mark)
    },
  )
  await monitor.start()
  await monitor.close()
  return { refusal: config.lineage.refusal, unused: primaryMarks.length }
}

test('a server that was asked just before its lineage began is asked again, and not refused', async () => {
  assert.deepEqual(await refusalAfterAsking([null, 'first']), { refusal: null, unused: 0 })
})

test('a server that is a former primary both times is refused', async () => {
  const refusal = 'only a former primary of PostgreSQL accepts writes'
  assert.deepEqual(await refusalAfterAsking([null, null]), { refusal, unused: 0 })
})
