import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { AuthEvent } from '@gatehouse-auth/contract'
import { listen } from '../../service/test/support/transport/listen.ts'
import { world } from '../../service/test/support/world.ts'
import { newestEvents } from '../src/api/events.ts'
import type { Project } from '../src/credentials/project.ts'
import { createLocalFixture, writeTenantFile } from './support/machine.ts'

test('events lists the newest events, oldest first, as text and as JSON', async (t) => {
  const { machine, agent, browser } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  const before = await machine.run('events')
  assert.deepEqual([before.code, before.stdout], [0, ''])
  assert.match(before.stderr, /No events/)

  await tenant.signIn(browser(), 'Ada Lovelace', '?return_to=/%E2%80%AEdeep')
  const plain = await machine.run('events')
  assert.match(
    plain.stdout,
    /^\S+ \S+Z {2}login_started {2,}#\d+ {2}.*\n\S+ \S+Z {2}authorize {2,}#\d+ {2}ada@example\.com/,
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no color and no bidirectional override in piped output
  assert.doesNotMatch(plain.stdout, /[\u001b\u202e]/)
  assert.deepEqual((await machine.run('events', '--json')).json, await tenant.events())
  const [only] = (await machine.run('events', '--json', '--limit', '1')).json
  assert.equal(only.event, 'authorize')
  assert.deepEqual(
    (await machine.run('events', '--json', '--event', 'login_started')).json.length,
    1,
  )
  assert.equal((await machine.run('events', '--after', String(only.id))).stdout, '')
})

test('events --follow prints a login as it happens, and continues after a restart of the service', async (t) => {
  const fixture = await createLocalFixture(t)
  const tenant = await fixture.agent.createTenant()
  await writeTenantFile(fixture.machine, tenant)
  await tenant.signIn(fixture.browser(), 'Grace Hopper')
  const running = fixture.machine.start(['events', '--follow', '--limit', '0', '--json'])
  await running.waitForOutput('Waiting for new events')
  await tenant.signIn(fixture.browser(), 'Ada Lovelace')
  await running.waitForOutput('"event":"authorize","user_id":2')
  assert.doesNotMatch(running.output(), /grace/, 'only new events')

  await fixture.stop()
  await running.waitForOutput('Retrying')
  const restarted = await world(t, { through: 'port', like: fixture })
  await tenant.at(restarted.agent).signIn(restarted.browser(), 'Grace Hopper')
  await running.waitForOutput(/grace@example\.com[\s\S]*grace|"event":"authorize","user_id":1/)
  running.child.kill('SIGINT')
  const { code, json } = await running.ended
  assert.equal(code, 0)
  assert.deepEqual(
    json.map(({ event }) => event),
    ['login_started', 'authorize', 'login_started', 'authorize'],
    'each event once, and no other output on stdout',
  )
})

test('events --follow exits with 0 when the reader closes the pipe', async (t) => {
  const { machine, agent, browser } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  const running = machine.start(['events', '--follow', '--json'])
  await running.waitForOutput('Waiting for new events')
  running.child.stdout.destroy()
  await tenant.signIn(browser())
  const { code, stderr } = await running.ended
  assert.deepEqual([code, stderr.trim()], [0, 'Waiting for new events. Press Ctrl-C to stop.'])
})

/** A fake service with these events, and the number of requests to it. */
async function serveEvents(
  t: TestContext,
  ids: readonly number[],
): Promise<{ project: Project; requests(): number }> {
  let requests = 0
  const { port } = await listen(t, (request, response) => {
    requests++
    const query = new URL(request.url ?? '/', 'http://x').searchParams
    const after = Number(query.get('after'))
    const page = ids.filter((id) => id > after).slice(0, Number(query.get('limit')))
    const events = page.map((id): AuthEvent => ({ id, event: 'authorize', ...NO_PROFILE }))
    response.writeHead(200, { 'API-Version': '1' }).end(JSON.stringify({ events }))
  })
  const credentials = { base_url: `http://localhost:${port}`, coh_management_key: 'svc_man_x' }
  return {
    requests: () => requests,
    project: { root: '/', path: '/.service', credentials } as unknown as Project,
  }
}

const NO_PROFILE = {
  user_id: null,
  email: null,
  redirect_uri: null,
  return_to: null,
  metadata: {},
  created_at_ms: 0,
}

test('the newest events are found by binary search in fewer than 60 requests', async (t) => {
  const dense = Array.from({ length: 20_000 }, (_, index) => index + 1)
  const gaps = Array.from({ length: 3_000 }, (_, index) =>
    index < 2_950 ? index + 1 : 1_000_000 + index * 977,
  )
  for (const ids of [
    [],
    dense.slice(0, 7),
    dense.slice(0, 500),
    dense.slice(0, 501),
    dense,
    gaps,
  ]) {
    for (const count of [1, 20, 500]) {
      const { project, requests } = await serveEvents(t, ids)
      const found = await newestEvents(project, count, {})
      assert.deepEqual(
        found.map(({ id }) => id),
        ids.slice(-count),
      )
      assert.ok(requests() < 60, `${requests()} requests for ${ids.length} events`)
    }
  }
})
