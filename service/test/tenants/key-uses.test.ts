import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KEY_USE_EVERY_MS, KeyUses } from '../../src/operations/write-behind.ts'

const NOW = Date.parse('2026-11-15T14:00:00Z')

test('uses of a key are one write an hour, and a failed write is only logged and done by the next use', async (t) => {
  const calls: unknown[][] = []
  const warnings: string[] = []
  let fails = false
  const store = {
    async touchKeys(...call: unknown[]): Promise<void> {
      if (fails) {
        throw new Error('out of reach')
      }
      calls.push(call)
    },
  }
  const uses = new KeyUses(store, (message) => void warnings.push(message))
  t.after(() => uses.close())
  const use = (hash: string, lastUsedAt: number | null, at: number): void =>
    uses.add({ hash, lastUsedAt }, at)

  for (let time = 0; time < 3; time++) {
    use('a', null, NOW)
  }
  use('b', NOW - KEY_USE_EVERY_MS, NOW + 1)
  use('c', NOW - KEY_USE_EVERY_MS + 2, NOW + 1)
  await uses.flush()
  assert.deepEqual(calls.splice(0), [[['a', 'b'], NOW + 1, NOW + 1 - KEY_USE_EVERY_MS]])
  use('a', NOW + 1, NOW + KEY_USE_EVERY_MS)
  await uses.flush()
  assert.deepEqual(calls, [], 'not in the same hour')

  fails = true
  use('a', null, NOW)
  await uses.flush()
  assert.deepEqual(warnings, ['the last use of keys could not be written'])
  fails = false
  await uses.flush()
  assert.deepEqual(calls, [])
  use('a', null, NOW + 5)
  await uses.flush()
  assert.deepEqual(calls, [[['a'], NOW + 5, NOW + 5 - KEY_USE_EVERY_MS]])
})

test('uses of keys are written together, once a second', async (t) => {
  const interval = t.mock.method(globalThis, 'setInterval')
  const written: (readonly string[])[] = []
  const uses = new KeyUses(
    { touchKeys: async (hashes) => void written.push([...hashes]) },
    assert.fail,
  )
  t.after(() => uses.close())
  const [[write, ms] = []] = interval.mock.calls.map((call) => call.arguments)
  assert.equal(ms, 1_000)
  for (const hash of ['a', 'b']) {
    uses.add({ hash, lastUsedAt: null }, NOW)
  }
  assert.deepEqual(written, [])
  write?.()
  await new Promise(setImmediate)
  assert.deepEqual(written, [['a', 'b']])
})
