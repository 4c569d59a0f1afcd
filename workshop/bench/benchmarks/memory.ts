import assert from 'node:assert/strict'
import { request } from 'node:http'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { TIER_LIMITS } from '@gatehouse-auth/contract'
import { ALL_GENERATIONS } from '../../../service/src/domain/revocation/revocation.ts'
import { SQLITE_FILE } from '../../../service/src/storage/database-location.ts'
import type { Bench } from '../bench.ts'
import { startEcho } from '../contenders/echo-setup.ts'
import { type Population, populate } from '../contenders/gatehouse/populate.ts'
import {
  PRODUCTION_BUILD,
  productionSettings,
  startGatehouse,
} from '../contenders/gatehouse/start.ts'
import { findGlewlwyd } from '../contenders/glewlwyd/find.ts'
import { startGlewlwyd } from '../contenders/glewlwyd/start.ts'
import { betterAuth } from '../contenders/verify-setups.ts'
import type { ContenderName } from '../options.ts'
import { startPeer } from '../peers/start-peer.ts'
import type { Program } from '../processes/program.ts'
import { rssOf } from '../processes/usage.ts'
import type { Row } from '../report/row.ts'

/** Resident memory: idle, with many revocations, and while streaming a long list. */
export async function memory(bench: Bench): Promise<Row[]> {
  const idle = await idleMemory(bench)
  if (!bench.options.contenders.includes('gatehouse')) {
    return idle
  }
  return [...idle, ...(await revocationMemory(bench)), ...(await usersListMemory(bench))]
}

export const IDLE = 'idle, five seconds after start'
const SETTLE_MS = 5_000
const MEGABYTE = 1_024 * 1_024

/** Null if it can't be installed here. */
type Start = (bench: Bench) => Promise<Program | null>

const gatehouse =
  (build: 'sources' | 'production'): Start =>
  async (bench) => {
    const settings = await productionSettings(path.join(bench.folder, `idle-${build}`))
    return startGatehouse(bench, settings, { name: `gatehouse-idle-${build}`, build })
  }

/** By the name in the report. */
const STARTS: Record<ContenderName, Readonly<Record<string, Start>>> = {
  echo: { echo: startEcho },
  gatehouse: { gatehouse: gatehouse('sources'), [PRODUCTION_BUILD]: gatehouse('production') },
  'better-auth': {
    'better-auth': (bench) =>
      startPeer(bench, 'better-auth', { ...betterAuth(bench, false), name: 'better-auth-idle' }),
  },
  'oidc-provider': { 'oidc-provider': (bench) => startPeer(bench, 'oidc-provider') },
  openauth: { openauth: (bench) => startPeer(bench, 'openauth') },
  express: { express: (bench) => startPeer(bench, 'express') },
  glewlwyd: {
    glewlwyd: async (bench) => {
      const program = await findGlewlwyd()
      return typeof program === 'string' ? null : startGlewlwyd(bench, program, 'glewlwyd-idle')
    },
  },
}

async function idleMemory(bench: Bench): Promise<Row[]> {
  bench.log('memory: idle')
  const settled: Promise<Row>[] = []
  for (const [contender, start] of bench.options.contenders.flatMap((name) =>
    Object.entries(STARTS[name]),
  )) {
    const program = await start(bench)
    if (program === null) {
      continue
    }
    settled.push(rowOf(contender, program))
  }
  return Promise.all(settled)
}

/** The next contender starts meanwhile: that changes no other process's memory. */
async function rowOf(contender: string, program: Program): Promise<Row> {
  await sleep(SETTLE_MS)
  const figures = { rssMb: [rssOf(program.pid) / MEGABYTE] }
  await program.stop()
  return { benchmark: 'memory', workload: IDLE, contender, figures }
}

const COUNT = 1_000_000
const REVOCATIONS_SETTLE_MS = 5_000

export const REVOCATIONS = '1,000,000 revocations loaded at start'

/** Starts the service on the same data without and with a million revocations in its database. */
async function revocationMemory(bench: Bench): Promise<Row[]> {
  bench.log('memory: a million revocations')
  const settings = await productionSettings(path.join(bench.folder, 'revocations'))
  const population = await populate(bench, settings, { tenants: 1, sessionsPerTenant: 1 })
  const measure = async (name: string, valid: boolean): Promise<number> => {
    const program = await startGatehouse(bench, settings, { name })
    await sleep(REVOCATIONS_SETTLE_MS)
    await assertVerifies(program.port, population, valid)
    const rss = rssOf(program.pid) / MEGABYTE
    await program.stop()
    return rss
  }
  const without = await measure('gatehouse-no-revocations', true)
  insertRevocations(path.join(settings.DATA_DIR, SQLITE_FILE))
  const withRevocations = await measure('gatehouse-revocations', false)
  const figures = { rssMb: [withRevocations], growthMb: [withRevocations - without] }
  return [{ benchmark: 'memory', workload: REVOCATIONS, contender: 'gatehouse', figures }]
}

/** Revokes the session ids from 1 to a million, which include the only existing session. */
function insertRevocations(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('begin')
  const insert = database.prepare(
    `insert into revocations (kind, tenant_id, subject_id, generation, until_ms) values ('session', 'tnt_none', ?, ?, ?)`,
  )
  const until = Date.now() + 3_600_000
  for (let session = 1; session <= COUNT; session++) {
    insert.run(session, ALL_GENERATIONS, until)
  }
  database.exec('commit')
  database.close()
}

async function assertVerifies(
  port: number,
  { tenants: [tenant] }: Population,
  valid: boolean,
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/edge/auth/${tenant?.id}/verify`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ access_token: tenant?.sessions[0]?.access_token }),
  })
  const body = (await response.json()) as { readonly valid?: boolean }
  assert.equal(body.valid, valid, 'the revocations have no effect')
}

/** The limit of the largest tier. */
const USERS = TIER_LIMITS.pro.storedUsers
const SAMPLE_EVERY_MS = 10

export const USERS_LIST = `users list of ${USERS.toLocaleString('en')}`

/** Reads the whole list repeatedly: memory growth and time to first byte. */
async function usersListMemory(bench: Bench): Promise<Row[]> {
  bench.log(`memory: ${USERS_LIST}`)
  const settings = await productionSettings(path.join(bench.folder, 'users-list'))
  const { tenants } = await populate(bench, settings, {
    tenants: 1,
    sessionsPerTenant: 0,
    usersPerTenant: USERS,
  })
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

function read(
  port: number,
  key: string,
  query: string,
): Promise<{ users: number; firstByteMs: number }> {
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
