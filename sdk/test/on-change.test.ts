import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type BrowserWindow, browserSession, type StorageEventLike } from '../src/browser.ts'
import type { CoreClient } from '../src/core-client.ts'

/** Two tabs share `localStorage`; the event goes to the other tab only. */
function createTabs(count: number): BrowserWindow[] {
  const items = new Map<string, string>()
  const listeners = Array.from(
    { length: count },
    () => new Set<(event: StorageEventLike) => void>(),
  )
  return listeners.map((own, index) => {
    const tell = (key: string): void => {
      for (const [other, each] of listeners.entries()) {
        if (other !== index) {
          for (const listener of each) {
            listener({ key })
          }
        }
      }
    }
    const storage = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem(key: string, value: string) {
        items.set(key, value)
        tell(key)
      },
      removeItem(key: string) {
        items.delete(key)
        tell(key)
      },
    }
    return {
      localStorage: storage,
      sessionStorage: storage,
      location: { href: 'https://app.example/', assign() {}, replace() {} },
      history: { replaceState() {} },
      navigator: {},
      addEventListener: (_type, listener) => void own.add(listener),
      removeEventListener: (_type, listener) => void own.delete(listener),
    }
  })
}

test('onChange tells every tab of a refresh and a logout, until it is stopped', async () => {
  const settings = { baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' }
  const fetch = async (url: string): Promise<Response> =>
    Response.json(
      url.endsWith('/refresh') ? { access_token: 'a2', refresh_token: 'r2' } : { success: true },
    )
  const tabs = createTabs(2)
  tabs[0]?.localStorage.setItem(
    'gatehouse',
    JSON.stringify({ accessToken: 'a1', refreshToken: 'r1', storedAt: 0 }),
  )
  const seen: string[] = []
  const sessions = tabs.map((window, index) => {
    const session = browserSession({ ...settings, fetch, window })
    return { session, stop: session.onChange((status) => seen.push(`${index} ${status}`)) }
  })
  await sessions[0]?.session.refresh()
  assert.deepEqual(seen.splice(0).sort(), ['0 signedIn', '1 signedIn'])
  await sessions[1]?.session.logout()
  assert.deepEqual(seen.splice(0).sort(), ['0 signedOut', '1 signedOut'])
  for (const { stop } of sessions) {
    stop()
  }
  await sessions[0]?.session.logout()
  assert.deepEqual(seen, [])
})

test('an access token of a development service that lives five seconds is refreshed after five, not after an hour', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 })
  const claims = btoa(JSON.stringify({ sub: '\u00fb\u00ff?', iat: 1_000, exp: 1_005 })).replaceAll(
    '+',
    '-',
  )
  const short = `eyJ.${claims.replaceAll('/', '_').replaceAll('=', '')}.mac`
  let refreshed = 0
  const fetch = async (): Promise<Response> =>
    Response.json({ access_token: short, refresh_token: `r${++refreshed}` })
  const [window] = createTabs(1)
  assert.ok(window)
  const settings = { baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' }
  const session = browserSession({ ...settings, fetch, window })
  window.localStorage.setItem(
    'gatehouse',
    JSON.stringify({ accessToken: short, refreshToken: 'r', storedAt: Date.now() }),
  )
  t.mock.timers.tick(4_900)
  await session.accessToken()
  assert.equal(refreshed, 0)
  t.mock.timers.tick(100)
  await session.accessToken()
  assert.equal(refreshed, 1)
  for (const [accessToken, seconds] of [
    ['opaque', 3_500],
    ['a.!.c', 3_500],
  ] as const) {
    window.localStorage.setItem(
      'gatehouse',
      JSON.stringify({ accessToken, refreshToken: 'r', storedAt: Date.now() }),
    )
    t.mock.timers.tick(seconds * 1_000)
    assert.equal(await session.accessToken(), accessToken, 'counts as a token of an hour')
  }
})

const stored = (name: string): string =>
  JSON.stringify({ accessToken: `a-${name}`, refreshToken: `r-${name}`, storedAt: 0 })

/** A session of Ada whose refresh is on its way until `arrive` is called, and what reaches the service meanwhile. */
function startRefresh(response: Response) {
  const sent: string[] = []
  const arrived = Promise.withResolvers<void>()
  const [window, other] = createTabs(2)
  assert.ok(window && other)
  const session = browserSession({
    baseUrl: 'https://login.example.com',
    tenantId: 'swift-fox-running-k3qd',
    window,
    async fetch(url, { body }) {
      const call = `${url.split('/').at(-1)} ${JSON.parse(String(body)).refresh_token}`
      sent.push(call)
      if (!call.startsWith('refresh')) {
        return Response.json({ success: true })
      }
      await arrived.promise
      return response
    },
  })
  window.localStorage.setItem('gatehouse', stored('ada'))
  const changes: string[] = []
  session.onChange((status) => changes.push(status))
  return {
    session,
    refreshed: session.refresh(),
    arrive: arrived.resolve,
    window,
    other,
    sent,
    changes,
  }
}

const NEW_PAIR = { access_token: 'a-new', refresh_token: 'r-new' }

test('a refresh that arrives after a sign-out stays signed out, and its new pair is logged out', async () => {
  const { session, refreshed, arrive, window, sent, changes } = startRefresh(
    Response.json(NEW_PAIR),
  )
  await session.logout()
  arrive()
  assert.equal(await refreshed, null)
  assert.equal(window.localStorage.getItem('gatehouse'), null)
  assert.deepEqual(changes, ['signedOut'])
  assert.deepEqual(sent, ['refresh r-ada', 'logout r-ada', 'logout r-new'])
})

test('without a lock, two calls of one tab share a refresh, and its pair stays', async () => {
  const { session, refreshed, arrive, sent } = startRefresh(Response.json(NEW_PAIR))
  const second = session.refresh()
  arrive()
  for (const pair of await Promise.all([refreshed, second])) {
    assert.equal(pair?.refreshToken, 'r-new')
  }
  assert.deepEqual(sent, ['refresh r-ada'])
})

for (const [outcome, response, ended] of [
  ['a refresh that succeeds', Response.json(NEW_PAIR), ['logout r-new']],
  [
    'a refresh of an ended session',
    Response.json({ error: { code: 'invalidRefreshToken' } }, { status: 401 }),
    [],
  ],
] as const) {
  test(`${outcome} does not replace the session of the next user`, async () => {
    const { refreshed, arrive, other, sent } = startRefresh(response)
    other.localStorage.setItem('gatehouse', stored('bob'))
    arrive()
    assert.equal((await refreshed)?.refreshToken, 'r-bob')
    assert.equal(other.localStorage.getItem('gatehouse'), stored('bob'))
    assert.deepEqual(sent, ['refresh r-ada', ...ended])
  })
}

test('a new pair of a signed-out session that the service does not end is no error', async () => {
  const [window] = createTabs(1)
  assert.ok(window)
  const ended: string[] = []
  const client: CoreClient = {
    baseUrl: 'https://login.example.com',
    tenantId: 'swift-fox-running-k3qd',
    loginUrl: () => assert.fail(),
    verify: async () => assert.fail(),
    async refresh() {
      window.localStorage.removeItem('gatehouse')
      return { accessToken: 'a-new', refreshToken: 'r-new' }
    },
    async logout(refreshToken) {
      ended.push(refreshToken)
      throw new Error('refused')
    },
  }
  window.localStorage.setItem('gatehouse', stored('ada'))
  assert.equal(await browserSession({ client, window }).refresh(), null)
  await setImmediate()
  assert.deepEqual(ended, ['r-new'], 'a rejected promise without a handler would fail this test')
})
