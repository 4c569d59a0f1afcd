import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { exposition } from '../../src/http/metrics/exposition.ts'
import { FAMILIES } from '../../src/http/metrics/families.ts'
import { RequestCounts } from '../../src/http/metrics/metrics.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { world } from '../support/world.ts'

/** Every line is a comment or a sample, and the type of each name is declared before it. */
function assertWellFormed(text: string): Map<string, number> {
  const declared = new Set<string>()
  const samples = new Map<string, number>()
  for (const line of text.trimEnd().split('\n')) {
    const [, type] = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line) ?? []
    if (type !== undefined) {
      declared.add(type)
    }
    if (line.startsWith('#')) {
      continue
    }
    const [, name = '', labels = '', value = ''] =
      /^(\w+)(\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})? (\S+)$/.exec(line) ?? []
    assert.ok(declared.has(name) || declared.has(name.replace(/_(bucket|sum|count)$/, '')), line)
    assert.ok(Number.isFinite(Number(value)), line)
    assert.ok(!samples.has(name + labels), `twice: ${line}`)
    samples.set(name + labels, Number(value))
  }
  return samples
}

for (const engine of ENGINES) {
  test(`[${engine}] /metrics serves a collector on the same machine`, async (t) => {
    const { agent } = await world(t, { engine })
    const tenant = await agent.createTenant()
    for (let times = 0; times < 3; times++) {
      await tenant.edge('verify', { access_token: 'x' })
    }
    await tenant.edge('refresh', { refresh_token: 'x' })
    await agent.call('GET', '/wp-login.php')
    await agent.call('GET', '/metrics')
    const { status, headers, text } = await agent.call('GET', '/metrics')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    const samples = assertWellFormed(text)
    const route = 'method="POST",route="/edge/auth/:tenantId/verify"'
    assert.equal(samples.get(`gatehouse_requests_total{${route},status="200"}`), 3)
    assert.equal(samples.get(`gatehouse_request_duration_seconds_bucket{${route},le="+Inf"}`), 3)
    assert.equal(samples.get(`gatehouse_request_duration_seconds_count{${route}}`), 3)
    assert.equal(
      samples.get(
        'gatehouse_requests_total{method="POST",route="/edge/auth/:tenantId/refresh",status="401"}',
      ),
      1,
    )
    assert.equal(
      samples.get('gatehouse_requests_total{method="GET",route="(none)",status="404"}'),
      1,
    )
    for (const name of [
      'gatehouse_revocations',
      'gatehouse_revocations_stale_seconds',
      'gatehouse_uncaught_errors_total',
      'process_resident_memory_bytes',
    ]) {
      assert.ok(samples.has(name), name)
    }
    assert.ok(samples.has('gatehouse_event_loop_delay_seconds{quantile="0.99"}'))
    assert.equal(samples.has('gatehouse_pool_waiting'), engine === 'postgres')
    assert.doesNotMatch(text, new RegExp(`${tenant.id}|svc_|wp-login|127\\.0\\.0\\.1`))
  })
}

for (const engine of ENGINES) {
  test(`[${engine}] /metrics serves every metric${engine === 'sqlite' ? ' but those of PostgreSQL' : ''}`, async (t) => {
    const { agent } = await world(t, { engine })
    // Event-loop delay is measured from the first scrape on, and replication is read in the background.
    await waitUntil('the replication is read', async () => {
      const { text } = await agent.call('GET', '/metrics')
      return engine === 'sqlite' || text.includes('gatehouse_database_synchronous_standbys')
    })
    const { text } = await agent.call('GET', '/metrics')
    const served = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
    const expected = Object.keys(FAMILIES).filter(
      (name) => engine === 'postgres' || !/^gatehouse_(?:database|pool)_/.test(name),
    )
    assert.deepEqual(served.toSorted(), expected.toSorted())
  })
}

test('the operating guide lists exactly the metrics that are served', () => {
  const guide = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
  const section = guide.split('## Metrics')[1]?.split('\n## ')[0] ?? ''
  const named = [...section.matchAll(/`((?:gatehouse|process)_\w+)`/g)].map(([, name]) => name)
  assert.deepEqual(named.toSorted(), Object.keys(FAMILIES).toSorted())
})

test('/metrics is 404 for a request through a proxy', async (t) => {
  const { agent } = await world(t)
  for (const headers of [
    { 'X-Forwarded-For': '127.0.0.1' },
    { Forwarded: 'for=127.0.0.1' },
    { Via: '1.1 proxy' },
    { 'X-Real-IP': '127.0.0.1' },
  ] as Record<string, string>[]) {
    const { status, text } = await agent.call('GET', '/metrics', { headers })
    assert.equal(status, 404)
    assert.doesNotMatch(text, /gatehouse_/)
  }
  assert.equal((await agent.call('POST', '/metrics')).status, 404)
})

test('gatehouse_revocations counts the revocation of a refresh', async (t) => {
  const { agent, browser } = await world(t)
  const tenant = await agent.createTenant()
  const { refresh_token } = await tenant.signIn(browser())
  await tenant.refresh(refresh_token)
  const samples = assertWellFormed((await agent.call('GET', '/metrics')).text)
  assert.equal(samples.get('gatehouse_revocations'), 1)
})

test('requests cannot create unlimited metric series: unknown methods and surplus routes share one', () => {
  const counts = new RequestCounts()
  for (const method of ['BREW', 'PROPFIND']) {
    counts.observe({ method, route: '/', status: 404, ms: 1 })
  }
  for (let route = 0; route < 5_000; route++) {
    counts.observe({ method: 'GET', route: `/${route}`, status: 200, ms: 1 })
  }
  const totals = counts.samples().filter(({ name }) => name === 'gatehouse_requests_total')
  assert.equal(totals.find(({ labels }) => labels.method === 'other')?.value, 2)
  assert.ok(totals.length <= 2_001, String(totals.length))
  assert.equal(totals.find(({ labels }) => labels.route === '(other)')?.value, 5_000 - 1_999)
})

test('histogram buckets are cumulative', () => {
  const counts = new RequestCounts()
  for (const ms of [0.5, 1, 1.1, 60_000]) {
    counts.observe({ method: 'GET', route: '/', status: 200, ms })
  }
  const buckets = counts.samples().filter(({ name }) => name.endsWith('_bucket'))
  const at = (le: string) => buckets.find(({ labels }) => labels.le === le)?.value
  assert.deepEqual([at('0.001'), at('0.0025'), at('30'), at('+Inf')], [2, 3, 3, 4])
})

test('label values are escaped', () => {
  const backlog = { name: 'gatehouse_pool_waiting', labels: { a: '"\\\n' }, value: 1 } as const
  const text = exposition([backlog], { worker: '2' })
  const [, , line] = text.split('\n')
  assert.equal(line, 'gatehouse_pool_waiting{worker="2",a="\\"\\\\\\n"} 1')
})
