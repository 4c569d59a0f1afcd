import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiResponse } from '../support/actors/agent.ts'
import { count, figure, fullOrShort, seconds, timeBound } from '../support/faults/figures.ts'
import { createFixture, createTraffic, newTokenPair } from '../support/faults/fixture.ts'
import { preload, signalPreload } from '../support/faults/preload.ts'
import { VerifyProbe } from '../support/faults/verify-probe.ts'
import { assertInvariants } from '../support/ledger/invariants.ts'
import { raw } from '../support/postgres/storage.ts'
import { newTenant } from '../support/process/service-process.ts'
import { waitUntil } from '../support/process/wait-until.ts'

/** Responses with 503 before the disk has room again. */
const REJECTED = fullOrShort(1_000, 50)
/** Below the WAL's current size: a checkpoint restarts the WAL, and a limit at its size would leave it room. */
const FILE_LIMIT_BYTES = '65536'

function assertUnavailable(response: ApiResponse): void {
  assert.equal(response.status, 503, response.text)
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

test('F5: with a full disk writes get 503 and consume nothing, verify and reads keep working, and writes work again once there is room', async (t) => {
  const fixture = await createFixture(t, 'sqlite', { settings: preload('full-disk') })
  const { cluster, app } = fixture
  const pair = await newTokenPair(fixture)
  // Free pages inside the file still take writes, so large rows are written until they are used up.
  await signalPreload(cluster.first, 'the disk is full')
  const probe = new VerifyProbe(t, app, cluster.first, pair.access_token)
  const before = await app.events()
  let rejected = 0
  let stored = 0
  for (let tries = 0; tries < 400 && rejected < 20; tries++) {
    const response = await cluster.first.agent.call('POST', '/api/feedback/service', {
      key: app.key,
      body: { feedback: 'x'.repeat(15_000) },
    })
    if (response.status === 503) {
      rejected += 1
    } else {
      stored += 1
    }
  }
  assert.equal(rejected, 20, `the disk never got full; ${stored} were stored`)
  assert.deepEqual(await app.events(), before, 'reads keep working')
  assert.equal((await app.manage('GET', '/api/status')).status, 200)
  await signalPreload(cluster.first, 'the disk has room')
  assert.deepEqual((await probe.stop()).failures, [], 'I7: verify keeps working')
  const next = await app.refresh(pair.refresh_token)
  assert.equal(await app.isValid(next.access_token), true, 'I10: a rejected write consumes nothing')
  const [row] = await raw(cluster.database, 'pragma integrity_check')
  assert.equal(row?.integrity_check, 'ok')
  figure(
    t,
    `F5 (pages): ${rejected} writes got 503, ${probe.calls} verifications meanwhile, 0 wrong`,
  )
})

const canLimit = process.platform === 'linux' && hasPrlimit()

// A limit on the file size makes the write call itself fail, anywhere in a transaction, a checkpoint or the WAL.
test('F5: when no file can grow for a while under load, no acknowledged change is lost', {
  skip: canLimit ? false : 'prlimit is not on this machine',
  timeout: 120_000,
}, async (t) => {
  const ignoreSigxfsz = { wrapper: ['/bin/sh', '-c', 'trap "" XFSZ; exec "$@"', 'sh'] }
  const fixture = await createFixture(t, 'sqlite', { launch: ignoreSigxfsz })
  const { cluster, app } = fixture
  const { access_token } = await newTokenPair(fixture)
  const { traffic, ledger } = await createTraffic(t, cluster)
  traffic.start()
  await ledger.next(50)
  const probe = new VerifyProbe(t, app, cluster.first, access_token)
  limitFiles(cluster.first.pid, FILE_LIMIT_BYTES)
  const full = performance.now()
  await waitUntil('writes are rejected', () => cluster.seen.count(503) >= REJECTED)
  assertUnavailable(
    await cluster.first.agent.call('POST', '/api/genesis', {
      headers: { 'X-Forwarded-For': '10.9.8.7' },
    }),
  )
  // A small write may still find room: it is not ready nevertheless, each time that it is asked.
  for (let asked = 0; asked < 20; asked++) {
    const { status, json } = await cluster.first.agent.call('GET', '/readyz')
    assert.equal(status, 503)
    assert.match(
      json.reasons.join(),
      /the disk of the database is full|writes to the database fail|does not confirm/,
    )
  }
  limitFiles(cluster.first.pid, 'unlimited')
  const unlimited = performance.now()
  const rejected = cluster.seen.count(503)
  const guest = await firstSuccess(() => newTenant(cluster.first))
  const recovered = performance.now() - unlimited
  assert.ok(
    recovered < timeBound(5_000),
    `I8: the first write took ${Math.round(recovered)} ms after there was room`,
  )
  await ledger.next(10)
  await traffic.stop()
  assert.deepEqual((await probe.stop()).failures, [], 'I7: verify keeps working')
  await traffic.settle()
  assert.equal((await guest.status()).tenant_id, guest.id)
  const { acknowledged } = await assertInvariants(cluster, ledger, traffic)
  figure(
    t,
    `F5 (files): full for ${seconds(unlimited - full)}, ${rejected} got 503, ${count(acknowledged)} acknowledged, 0 lost, file intact, writing again after ${seconds(recovered)} (${cluster.seen})`,
  )
})

function limitFiles(pid: number, soft: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:unlimited`])
}

function hasPrlimit(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function firstSuccess<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (tries > 100 || !/503/.test(String(error))) {
        throw error
      }
      await sleep(20)
    }
  }
}
