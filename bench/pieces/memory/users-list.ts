import assert from 'node:assert/strict'
import { request } from 'node:http'
import path from 'node:path'
import { TIER_LIMITS } from '@gatehouse/contract'
import type { Bench } from '../../bench.ts'
import { populated } from '../../contenders/gatehouse/populated.ts'
import { productionSettings } from '../../contenders/gatehouse/settings.ts'
import { startGatehouse } from '../../contenders/gatehouse/start.ts'
import { rssOf } from '../../processes/usage.ts'
import type { Row } from '../../report/row.ts'

/** As many as the largest tier may have. */
const USERS = TIER_LIMITS.pro.storedUsers
const LOOK_EVERY_MS = 10
const MEGABYTE = 1_024 * 1_024

export const USERS_LIST = `users list of ${USERS.toLocaleString('en')}`

/** The whole list, again and again, in one process: how far its memory grows, and when the first byte comes. */
export async function usersListMemory(bench: Bench): Promise<Row[]> {
  bench.say(`memory: ${USERS_LIST}`)
  const settings = await productionSettings(path.join(bench.folder, 'users-list'))
  const { tenants } = await populated(bench, settings, { tenants: 1, sessionsPerTenant: 0, usersPerTenant: USERS })
  const program = await startGatehouse(bench, settings, { name: 'gatehouse-users-list' })
  try {
    const key = tenants[0]?.managementKey ?? ''
    // Once for a short list, so that what is compiled and opened at the first question is not taken for the list.
    await read(program.port, key, '?limit=100')
    const before = rssOf(program.pid)
    const firstByteMs: number[] = []
    const growthMb: number[] = []
    for (let round = 0; round < bench.options.rounds; round++) {
      let most = 0
      const watch = setInterval(() => {
        most = Math.max(most, rssOf(program.pid))
      }, LOOK_EVERY_MS)
      const response = await read(program.port, key, '')
      clearInterval(watch)
      assert.equal(response.users, USERS, 'the list is not complete')
      firstByteMs.push(response.firstByteMs)
      growthMb.push((most - before) / MEGABYTE)
    }
    const figures = { firstByteMs, growthMb }
    return [{ piece: 'memory', work: USERS_LIST, contender: 'gatehouse', figures }]
  } finally {
    await program.stop()
  }
}

function read(port: number, key: string, query: string): Promise<{ users: number; firstByteMs: number }> {
  return new Promise((resolve, reject) => {
    const asked = performance.now()
    const options = {
      host: '127.0.0.1',
      port,
      path: `/api/social-login/users${query}`,
      headers: { Authorization: `Bearer ${key}` },
      agent: false,
    } as const
    request(options, (response) => {
      let firstByteMs: number | null = null
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => {
        firstByteMs ??= performance.now() - asked
        chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('end', () => {
        const { users } = JSON.parse(Buffer.concat(chunks).toString()) as { users: unknown[] }
        resolve({ users: users.length, firstByteMs: firstByteMs ?? Number.NaN })
      })
    })
      .on('error', reject)
      .end()
  })
}
