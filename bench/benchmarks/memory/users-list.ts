import assert from 'node:assert/strict'
import { request } from 'node:http'
import path from 'node:path'
import { TIER_LIMITS } from '@gatehouse/contract'
import type { Bench } from '../../bench.ts'
import { populate } from '../../contenders/gatehouse/populate.ts'
import { productionSettings } from '../../contenders/gatehouse/settings.ts'
import { startGatehouse } from '../../contenders/gatehouse/start.ts'
import { rssOf } from '../../processes/usage.ts'
import type { Row } from '../../report/row.ts'

/** The limit of the largest tier. */
const USERS = TIER_LIMITS.pro.storedUsers
const SAMPLE_EVERY_MS = 10
const MEGABYTE = 1_024 * 1_024

export const USERS_LIST = `users list of ${USERS.toLocaleString('en')}`

/** Reads the whole list repeatedly: memory growth and time to first byte. */
export async function usersListMemory(bench: Bench): Promise<Row[]> {
  bench.log(`memory: ${USERS_LIST}`)
  const settings = await productionSettings(path.join(bench.folder, 'users-list'))
  const { tenants } = await populate(bench, settings, { tenants: 1, sessionsPerTenant: 0, usersPerTenant: USERS })
  const program = await startGatehouse(bench, settings, { name: 'gatehouse-users-list' })
  try {
    const key = tenants[0]?.managementKey ?? ''
    // A short list first, to exclude one-time costs of the first request.
    await read(program.port, key, '?limit=100')
    const before = rssOf(program.pid)
    const firstByteMs: number[] = []
    const growthMb: number[] = []
    for (let round = 0; round < bench.options.rounds; round++) {
      let most = 0
      const sampler = setInterval(() => {
        most = Math.max(most, rssOf(program.pid))
      }, SAMPLE_EVERY_MS)
      const response = await read(program.port, key, '')
      clearInterval(sampler)
      assert.equal(response.users, USERS, 'the list is incomplete')
      firstByteMs.push(response.firstByteMs)
      growthMb.push((most - before) / MEGABYTE)
    }
    const figures = { firstByteMs, growthMb }
    return [{ benchmark: 'memory', workload: USERS_LIST, contender: 'gatehouse', figures }]
  } finally {
    await program.stop()
  }
}

function read(port: number, key: string, query: string): Promise<{ users: number; firstByteMs: number }> {
  return new Promise((resolve, reject) => {
    const sent = performance.now()
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
        firstByteMs ??= performance.now() - sent
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
