import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { AuthEvent } from '@gatehouse/contract'
import { listen } from '../../service/test/support/transport/listen.ts'
import { world } from '../../service/test/support/world.ts'
import { newestEvents } from '../src/api/events.ts'
import type { Project } from '../src/credentials/read.ts'
import { giveFile, localWorld } from './support/bench.ts'

test('events lists the newest, oldest first, for people and for programs', async (t) => {
  const { bench, agent, browser } = await localWorld(t)
  const tenant = await agent.createTenant()
  await giveFile(bench, tenant)
  const before = await bench.run('events')
  assert.deepEqual([before.code, before.stdout], [0, ''])
  assert.match(before.stderr, /Nothing has happened yet/)

  await tenant.signIn(browser(), 'Ada Lovelace', '?return_to=/%E2%80%AEdeep')
  const plain = await bench.run('events')
  assert.match(
    plain.stdout,
    /^\S+ \S+Z {2}login_started {2,}#\d+ {2}.*\n\S+ \S+Z {2}authorize {2,}#\d+ {2}ada@example\.com/,
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: neither colour nor a turned-around line, when piped
  assert.doesNotMatch(plain.stdout, /[\u001b\u202e]/)
  assert.deepEqual((await bench.run('events', '--json')).json, await tenant.events())
  const [only] = (await bench.run('events', '--json', '--limit', '1')).json
  assert.equal(only.event, 'authorize')
  assert.deepEqual((await bench.run('events', '--json', '--event', 'login_started')).json.length, 1)
  assert.equal((await bench.run('events', '--after', String(only.id))).stdout, '')
})

test('events --follow sees a login as it happens, and goes on after a restart', async (t) => {
  const at = await localWorld(t)
  const tenant = await at.agent.createTenant()
  await giveFile(at.bench, tenant)
  await tenant.signIn(at.browser(), 'Grace Hopper')
  const running = at.bench.start(['events', '--follow', '--limit', '0', '--json'])
  await running.said('Following')
  await tenant.signIn(at.browser(), 'Ada Lovelace')
  await running.said('"event":"authorize","user_id":2')
  assert.doesNotMatch(running.output(), /grace/, 'only what is new')

  await at.stop()
  await running.said('Trying again')
  const again = await world(t, { like: at })
  await tenant.at(again.agent).signIn(again.browser(), 'Grace Hopper')
  await running.said(/grace@example\.com[\s\S]*grace|"event":"authorize","user_id":1/)
  running.child.kill('SIGINT')
  const { code, json } = await running.ended
  assert.equal(code, 0)
  assert.deepEqual(
    json.map(({ event }) => event),
    ['login_started', 'authorize', 'login_started', 'authorize'],
    'each once, and nothing else on stdout',
  )
})

test('whoever reads has read enough: a closed pipe ends it quietly', async (t) => {
  const { bench, agent, browser } = await localWorld(t)
  const tenant = await agent.createTenant()
  await giveFile(bench, tenant)
  const running = bench.start(['events', '--follow', '--json'])
  await running.said('Following')
  running.child.stdout.destroy()
  await tenant.signIn(browser())
  const { code, stderr } = await running.ended
  assert.deepEqual([code, stderr.trim()], [0, 'Following; Ctrl-C ends it.'])
})

/** A service with a long history, and a count of how often it was asked. */
async function history(t: TestContext, ids: readonly number[]): Promise<{ project: Project; asked(): number }> {
  let asked = 0
  const { port } = await listen(t, (request, response) => {
    asked++
    const query = new URL(request.url ?? '/', 'http://x').searchParams
    const after = Number(query.get('after'))
    const page = ids.filter((id) => id > after).slice(0, Number(query.get('limit')))
    const events = page.map((id): AuthEvent => ({ id, event: 'authorize', ...NO_PROFILE }))
    response.writeHead(200, { 'API-Version': '1' }).end(JSON.stringify({ events }))
  })
  const credentials = { base_url: `http://localhost:${port}`, coh_management_key: 'svc_man_x' }
  return { asked: () => asked, project: { root: '/', path: '/.service', credentials } as unknown as Project }
}

const NO_PROFILE = { user_id: null, email: null, redirect_uri: null, return_to: null, metadata: {}, created_at_ms: 0 }

test('the newest of a long history are found without reading all of it', async (t) => {
  const dense = Array.from({ length: 20_000 }, (_, at) => at + 1)
  const gaps = Array.from({ length: 3_000 }, (_, at) => (at < 2_950 ? at + 1 : 1_000_000 + at * 977))
  for (const ids of [[], dense.slice(0, 7), dense.slice(0, 500), dense.slice(0, 501), dense, gaps]) {
    for (const count of [1, 20, 500]) {
      const { project, asked } = await history(t, ids)
      const found = await newestEvents(project, count, {})
      assert.deepEqual(
        found.map(({ id }) => id),
        ids.slice(-count),
      )
      assert.ok(asked() < 60, `${asked()} questions for ${ids.length} events`)
    }
  }
})
