import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { checkSignInErrors, NOTES } from '../../sdk/test/support/login-journey.ts'
import { Browser } from '../../service/test/support/actors/browser.ts'
import { writeRecipeApp } from '../../service/test/support/actors/recipe-app.ts'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { run } from '../../service/test/support/process/run.ts'
import { waitUntil } from '../../service/test/support/process/wait-until.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { overHttp } from '../../service/test/support/transport/http-transport.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { type World, world } from '../../service/test/support/world.ts'
import { LANGUAGES, type Language, unpackedLanguage } from './languages.ts'
import { type AppCommand, listenForTwo, serveApp } from './platform.ts'

declare module 'node:test' {
  namespace test {
    interface TestContext {
      /** `@types/node` 24 leaves it out. */
      readonly passed: boolean
    }
  }
}

const USER = /Notes of ada@example\.com/
/** A result of `verify` is remembered this long. */
const REMEMBERED_MS = 10_000

for (const [framework, language] of Object.entries(LANGUAGES)) {
  // proves C131
  test(`the recipe ${framework}, without our SDK, in two processes, against the real service`, async (t) => {
    const unpacked = await unpackedLanguage(framework, language)
    if (typeof unpacked === 'string') {
      return t.skip(unpacked)
    }
    const app = await startApp(t, framework, language, unpacked.root)
    const { service, tenant, url, wire } = app
    const newBrowser = (): Browser =>
      new Browser({
        origins: [service.baseUrl, wire.url, url],
        transport: overHttp,
        now: service.clock.now,
      })
    const browser = newBrowser()
    const events: string[] = []
    const happened = async (...kinds: string[]): Promise<void> => {
      events.push(...kinds)
      assert.deepEqual(await tenant.eventKinds(), events)
    }
    const nextMinute = (): void => service.clock.advance({ minutes: 1 })
    const cookies = (): Record<string, string> =>
      Object.fromEntries(
        browser.cookies
          .list()
          .filter(({ name }) => name.startsWith('gh_'))
          .map(({ name, value }) => [name.replace(`${app.port}_`, ''), decodeURIComponent(value)]),
      )
    const refreshToken = (): string => cookies().gh_refresh?.split('~')[0] ?? ''
    /** As the browser does after an hour. */
    const expireAccessToken = (): void => {
      browser.cookies.keep(new URL(url), [`gh_${app.port}_access=; Path=/; Max-Age=0`])
    }
    const openNotes = async (): Promise<void> => {
      assert.equal(
        (await browser.open(`${url}/notes?page=2`)).href,
        `${url}/notes?page=2`,
        browser.page.text,
      )
      assert.match(browser.page.text, USER)
    }

    await t.test('a user signs in with a one-time code and returns to the page', async () => {
      await browser.open(`${url}/notes?page=2`)
      await browser.press('Ada Lovelace')
      assert.equal((await browser.press('Continue')).href, `${url}/notes?page=2`)
      assert.match(browser.page.text, USER)
      assert.equal(browser.page.headers.get('cache-control'), 'no-store')
      const names = Object.keys(cookies()).sort()
      assert.deepEqual(
        names,
        ['gh_access', 'gh_refresh'],
        'a cookie for each token, and the cookie of the login is removed',
      )
      for (const cookie of browser.cookies.list().filter(({ name }) => name.startsWith('gh_'))) {
        const { httpOnly, sameSite, secure, path } = cookie
        assert.deepEqual(
          { httpOnly, sameSite, secure, path },
          { httpOnly: true, sameSite: 'lax', secure: false, path: '/' },
        )
      }
      await happened('login_started', 'authorize')
    })

    await t.test('the cookie of a token lives as long as the token', () => {
      const secondsLeft = (name: string): number => {
        const cookie = browser.cookies.list().find((each) => each.name === name)
        return ((cookie?.expiresAt ?? 0) - service.clock.now()) / 1000
      }
      for (const [name, lifetime] of [
        [`gh_${app.port}_access`, 3_600],
        [`gh_${app.port}_refresh`, 2_592_000],
      ] as const) {
        const left = secondsLeft(name)
        assert.ok(left > lifetime - 600 && left <= lifetime, `${name}: ${left} s`)
      }
    })

    await t.test(
      'a verified token is not verified again for some seconds, and a valid pair is not refreshed',
      async () => {
        const before = wire.calls('verify')
        const began = performance.now()
        const pair = cookies()
        for (let i = 0; i < 12; i++) {
          await openNotes()
        }
        // Each of the two processes asks once, and again after the time for which it remembers a result.
        const most = 2 * (1 + Math.ceil((performance.now() - began) / REMEMBERED_MS))
        assert.ok(wire.calls('verify') - before <= most, `${wire.calls('verify') - before} calls`)
        assert.deepEqual([cookies(), wire.calls('refresh')], [pair, 0])
      },
    )

    await t.test(
      'a response that does not depend on the user may be cached, also for a signed-in user',
      async () => {
        const response = await browser.request(`${url}/favicon.ico`)
        // The app of the recipe http reads the user on every path.
        if (response.status === 404) {
          assert.doesNotMatch(response.headers.get('cache-control') ?? '', /no-store/)
        }
      },
    )

    await t.test(
      'simultaneous requests with an expired access token make one call per process, one refresh, and get the same pair',
      async () => {
        const { gh_refresh } = cookies()
        const spent = refreshToken()
        const cookie = `gh_${app.port}_access=expired; gh_${app.port}_refresh=${gh_refresh}`
        const before = wire.calls('refresh')
        const refreshes = wire.hold('refresh')
        const many = Array.from({ length: 8 }, () =>
          fetch(`${url}/notes`, { headers: { Cookie: cookie }, redirect: 'manual' }),
        )
        await refreshes.arrived(2)
        // The app handles other requests meanwhile.
        for (let i = 0; i < 4; i++) {
          await (await fetch(`${url}/login`, { redirect: 'manual' })).text()
        }
        refreshes.release()
        const responses = await Promise.all(many)
        for (const response of responses) {
          assert.match(await response.text(), USER)
        }
        const [first, ...others] = responses.map((response) => refreshTokenIn(response))
        assert.ok(first !== undefined && first !== spent)
        assert.deepEqual(new Set(others), new Set([first]))
        assert.equal(wire.calls('refresh') - before, 2, 'a call of each process')
        browser.cookies.keep(new URL(url), responses[0]?.headers.getSetCookie() ?? [])
        await openNotes()
        await happened('token_refreshed')
      },
    )

    await t.test(
      'a refresh whose response is lost is repeated with the same key, at once and on the next request',
      async () => {
        nextMinute()
        expireAccessToken()
        wire.loseNext('refresh', 1)
        await openNotes()
        nextMinute()
        expireAccessToken()
        const pair = cookies()
        // More than an HTTP client repeats by itself.
        wire.loseNext('refresh', 100)
        assert.equal((await browser.request(`${url}/notes`)).status, 503)
        assert.deepEqual(cookies(), pair, 'an outage is no sign-out')
        wire.loseNext('refresh', 0)
        nextMinute()
        nextMinute()
        await openNotes()
        assert.notEqual(cookies().gh_refresh, pair.gh_refresh)
        await happened('token_refreshed', 'token_refreshed')
      },
    )

    await t.test('a slow call for one session delays no request of another session', async () => {
      const pageOf = async (token: string): Promise<string> => {
        const response = await fetch(url, {
          headers: {
            Cookie: `gh_${app.port}_access=${token}; gh_${app.port}_refresh=svc_rt_${token}~b`,
          },
        })
        return response.text()
      }
      const slowCall = wire.hold('verify', 'of-the-slow-session')
      let hasEnded = false
      const slow = pageOf('of-the-slow-session').finally(() => {
        hasEnded = true
      })
      await slowCall.arrived(1)
      // Both processes get some of them.
      const others = await Promise.all([1, 2, 3, 4].map((each) => pageOf(`of-session-${each}`)))
      assert.equal(hasEnded, false, 'they got responses before the slow session did')
      slowCall.release()
      for (const page of [...others, await slow]) {
        assert.match(page, /Not signed in/)
      }
    })

    await t.test(
      'a refused token is not remembered, so that made-up cookies fill no memory',
      async (t) => {
        const own = await app.startOne(t, {})
        const { port } = new URL(own)
        const Cookie = `gh_${port}_access=made-up; gh_${port}_refresh=svc_rt_made-up~b`
        const verified = wire.calls('verify')
        const refreshed = wire.calls('refresh')
        for (let i = 0; i < 3; i++) {
          assert.match(await (await fetch(own, { headers: { Cookie } })).text(), /Not signed in/)
        }
        assert.deepEqual(
          [wire.calls('verify') - verified, wire.calls('refresh') - refreshed],
          [3, 3],
        )
      },
    )

    await t.test(
      'a post from another origin is refused, and a sign-out ends the session at the service',
      async () => {
        const forged = await browser.request(`${url}/logout`, {
          method: 'POST',
          headers: { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
          body: new URLSearchParams(),
        })
        assert.equal(forged.status, 403)
        assert.match(await forged.text(), /No Origin of this app\./)
        await openNotes()
        const ended = refreshToken()
        await browser.press('Sign out')
        assert.deepEqual(cookies(), {})
        assert.equal((await tenant.edge('refresh', { refresh_token: ended })).status, 401)
        await browser.open(url)
        assert.match(browser.page.text, /Not signed in/)
        await happened('logout')
      },
    )

    await t.test(
      'a session that ended elsewhere, or a damaged cookie, is a sign-out: the cookie goes',
      async () => {
        const sendCookies = (access: string, refresh: string): void =>
          browser.cookies.keep(new URL(url), [
            `gh_${app.port}_access=${access}; Path=/; Max-Age=3600`,
            `gh_${app.port}_refresh=${refresh}; Path=/; Max-Age=2592000`,
          ])
        for (const [access, refresh] of [
          ['x'.repeat(3000), 'svc_rt_nonsense~b'],
          ['', 'svc_rt_nonsense'],
          ['a~b', 'c~d~e'],
        ] as const) {
          sendCookies(access, refresh)
          await browser.open(url)
          assert.match(browser.page.text, /Not signed in/)
          assert.deepEqual(cookies(), {})
        }
        for (const [access, refresh] of [
          ['nonsense', ''],
          ['', '~'],
        ] as const) {
          sendCookies(access, refresh)
          await browser.open(url)
          assert.match(browser.page.text, /Not signed in/)
        }
        browser.cookies.keep(new URL(url), [
          `gh_${app.port}_access=; Path=/; Max-Age=0`,
          `gh_${app.port}_refresh=; Path=/; Max-Age=0`,
        ])
      },
    )

    await t.test(
      'a user who cancels or is blocked learns why, on a page with a button that starts again',
      async () => {
        nextMinute()
        await browser.open(`${url}/notes`)
        await browser.press('Ada Lovelace')
        await browser.press('Cancel')
        assert.match(
          browser.page.text,
          /You cancelled the sign-in, so nothing was shared with this app\./,
        )
        assert.match(browser.page.text, /noindex/)
        assert.deepEqual(cookies(), {}, 'the cookie of the login is removed')
        const [user] = await tenant.users()
        await tenant.manage('POST', `/api/social-login/users/${user?.id}/block`)
        nextMinute()
        await browser.follow('Sign in again')
        await browser.press('Ada Lovelace')
        assert.match(browser.page.text, /this app doesn’t accept the account that you chose/)
        await tenant.manage('POST', `/api/social-login/users/${user?.id}/unblock`)
        nextMinute()
        await browser.follow('Sign in again')
        await browser.press('Ada Lovelace')
        assert.equal((await browser.press('Continue')).href, `${url}/notes`)
        assert.match(browser.page.text, USER)
        await happened(
          'login_started',
          'consent_denied',
          'login_started',
          'login_failed',
          'login_started',
          'authorize',
        )
      },
    )

    await t.test(
      'a signed-in user who cancels another sign-in goes on, still signed in',
      async () => {
        nextMinute()
        const pair = cookies()
        await browser.open(`${url}/login?return_to=/notes`)
        await browser.press('Grace Hopper')
        assert.equal((await browser.press('Cancel')).href, `${url}/notes`)
        assert.match(browser.page.text, USER)
        assert.deepEqual(
          cookies(),
          pair,
          'the cookie of the login is removed, the session is the same',
        )
        await happened('login_started', 'consent_denied')
      },
    )

    await t.test(
      'a code of a login that another browser started is refused, and is not sent to the service',
      async () => {
        nextMinute()
        // Stops at the callback, which the attacker sends to the victim.
        const attacker = new Browser({ origins: [service.baseUrl, wire.url], transport: overHttp })
        const started = await fetch(`${url}/login`, { redirect: 'manual' })
        await attacker.open(started.headers.get('location') ?? '')
        await attacker.press('Grace Hopper')
        const { search, searchParams } = await attacker.press('Continue')
        assert.deepEqual([...searchParams.keys()], ['code', 'return_to'], 'no token in the URL')
        const exchanges = wire.calls('token')
        const victim = newBrowser()
        for (const query of [
          search,
          '?code=svc_ac_forged00_x',
          '?code=x',
          '?access_token=a&refresh_token=b',
          '',
        ]) {
          const opened = await victim.open(`${url}/auth/callback${query}`)
          assert.equal(opened.searchParams.has('code'), false)
          assert.match(victim.page.text, /was started in another browser/)
          assert.deepEqual(
            victim.cookies.list().filter(({ name }) => name.startsWith('gh_')),
            [],
          )
        }
        assert.equal(wire.calls('token'), exchanges)
      },
    )

    await t.test('a login returns to a path inside the app only', async () => {
      const stranger = newBrowser()
      for (const target of [
        '//evil.example',
        '/\\evil.example',
        'https://evil.example',
        '/\t/evil.example',
        'javascript:alert(1)',
        '',
      ]) {
        const started = await browser.request(
          `${url}/login?return_to=${encodeURIComponent(target)}`,
        )
        assert.ok(started.status === 302 || started.status === 303)
        const location = new URL(started.headers.get('location') ?? '')
        assert.equal(location.searchParams.get('return_to'), '/', target)
        assert.equal(location.searchParams.get('redirect_uri'), `${url}/auth/callback`)
        const failed = `${url}/auth/callback?error=x&return_to=${encodeURIComponent(target)}`
        const page = await stranger.request(failed)
        assert.match(await page.text(), /"\/login\?return_to=%2F"/, target)
        const signedIn = await browser.request(failed)
        const next =
          signedIn.headers.get('location') ??
          assert.fail(`${signedIn.status}, no redirect: ${target}`)
        assert.equal(new URL(next, url).href, `${url}/`, target)
      }
      const page = await stranger.request(
        `${url}/auth/callback?error=%3Cscript%3E&return_to=${encodeURIComponent('/"><script>')}`,
      )
      assert.doesNotMatch(await page.text(), /<script>/)
    })

    await t.test(
      'a login returns to the page as the browser asked for it, and to / after a POST',
      async () => {
        const returnTo = async (path: string, method = 'GET'): Promise<string | null> => {
          const { statusCode, headers } = await rawRequest(url + path, HTML, method)
          assert.ok(isRedirect(statusCode), `${statusCode} for ${method} ${path}`)
          const started = await fetch(new URL(headers.location ?? '', url), {
            redirect: 'manual',
          })
          return new URL(started.headers.get('location') ?? '').searchParams.get('return_to')
        }
        for (const path of [
          '/notes/caf%C3%A9?by=%C3%A9mile+z&q=a%26b?',
          '/notes/a%20b',
          '/notes/a%3Fb%23c',
          '/notes/100%25',
          '/notes/@ada,b:c',
        ]) {
          assert.equal(await returnTo(path), path)
        }
        assert.equal(await returnTo('/notes/7?page=2', 'POST'), '/')
      },
    )

    await t.test(
      'a script of a signed-out user gets 401 instead of the login on another site',
      async () => {
        const scripts: readonly Record<string, string>[] = [
          { Accept: 'application/json' },
          { Accept: '*/*', 'X-Requested-With': 'XMLHttpRequest' },
          { Accept: '*/*', 'Sec-Fetch-Mode': 'cors' },
          { ...HTML, 'Sec-Fetch-Mode': 'same-origin' },
        ]
        for (const headers of scripts) {
          for (const method of ['GET', 'POST']) {
            const refused = await rawRequest(`${url}/notes/7`, headers, method)
            const { location, 'set-cookie': cookies } = refused.headers
            assert.deepEqual(
              [refused.statusCode, location, cookies],
              [401, undefined, undefined],
              `${method} ${JSON.stringify(headers)}`,
            )
          }
        }
        const refused = await fetch(`${url}/notes/7`, { headers: { Accept: 'application/json' } })
        assert.match(refused.headers.get('content-type') ?? '', /^application\/json/)
        // FastAPI has the error of a response below `detail`.
        const { error, detail = error } = (await refused.json()) as Record<string, unknown>
        assert.deepEqual(detail, { code: 'signedOut', message: 'Sign in first.', login: '/login' })
      },
    )

    await t.test('a browser of a signed-out user gets the login', async () => {
      const browsers: readonly Record<string, string>[] = [
        HTML,
        {},
        { Accept: '*/*' },
        { ...HTML, 'Sec-Fetch-Mode': 'navigate' },
      ]
      for (const headers of browsers) {
        const { statusCode, headers: answer } = await rawRequest(`${url}/notes/7?page=2`, headers)
        assert.ok(isRedirect(statusCode), `${statusCode} for ${JSON.stringify(headers)}`)
        const { pathname, searchParams } = new URL(answer.location ?? '', url)
        assert.deepEqual([pathname, searchParams.get('return_to')], ['/login', '/notes/7?page=2'])
      }
    })

    await t.test('HEAD /login, as programs that check links send it, starts no login', async () => {
      const { statusCode, headers } = await rawRequest(`${url}/login?return_to=/notes`, {}, 'HEAD')
      const { allow, location, 'set-cookie': cookies } = headers
      assert.deepEqual([statusCode, allow, location, cookies], [405, 'GET', undefined, undefined])
    })

    await t.test('callbacks arrived at the process that had not started the login', () => {
      assert.ok(app.crossed() >= 10, `${app.crossed()} callbacks`)
    })

    await t.test(
      'elsewhere than on this machine, cookies are Secure and have the __Host- prefix',
      async () => {
        const response = await rawRequest(`${url}/login`, { Host: 'app.example.com' })
        const location = new URL(response.headers.location ?? '')
        assert.equal(
          location.searchParams.get('redirect_uri'),
          'https://app.example.com/auth/callback',
        )
        const [line = ''] = response.headers['set-cookie'] ?? []
        assert.match(line, /^__Host-gh_login_/)
        for (const attribute of [/; *Secure/i, /; *HttpOnly/i, /; *SameSite=Lax/i, /; *Path=\//i]) {
          assert.match(line, attribute)
        }
      },
    )

    await t.test('on this machine without a port, cookies have the name of port 80', async () => {
      for (const host of ['localhost', '127.0.0.1', '[::1]']) {
        const response = await rawRequest(`${url}/login`, { Host: host })
        const location = new URL(response.headers.location ?? '')
        assert.equal(location.searchParams.get('redirect_uri'), `http://${host}/auth/callback`)
        assert.match(response.headers['set-cookie']?.[0] ?? '', /^gh_80_login_[\w-]{8}=/, host)
      }
    })

    await t.test(
      'a sign-out that another site sends is refused and ends nothing, though SameSite keeps the cookie out of it',
      async (t) => {
        const ended = wire.calls('logout')
        await checkForgedSignOuts(await app.startOne(t, {}))
        assert.equal(wire.calls('logout'), ended)
      },
    )

    await t.test(
      'a sign-out of the app works behind a proxy, which may end TLS or replace the host, and without an Origin',
      async (t) => checkOwnSignOuts(await app.startOne(t, {})),
    )

    const { httpsOnly } = language
    if (httpsOnly !== undefined) {
      await t.test('the redirect of the framework to https comes before the login', async (t) => {
        const own = await app.startOne(t, httpsOnly)
        for (const path of ['/login?return_to=/notes', '/auth/callback?error=x', '/notes']) {
          const { statusCode, headers } = await rawRequest(own + path, { Host: 'app.example.com' })
          assert.deepEqual(
            [statusCode, headers.location, headers['set-cookie']],
            [301, `https://app.example.com${path}`, undefined],
          )
        }
      })
    }

    await t.test('GATEHOUSE_URL and APP_URL may end with a slash', async (t) => {
      const own = await app.startOne(t, {
        GATEHOUSE_URL: `${wire.url}/`,
        APP_URL: 'https://app.example.com/',
      })
      const { headers } = await fetch(`${own}/login`, { redirect: 'manual' })
      const { origin, pathname, searchParams } = new URL(headers.get('location') ?? '')
      assert.equal(origin + pathname, `${wire.url}/edge/auth/${tenant.id}/google`)
      assert.equal(searchParams.get('redirect_uri'), 'https://app.example.com/auth/callback')
      const Cookie = '__Host-gh_access=a; __Host-gh_refresh=b~c'
      const post = {
        method: 'POST',
        headers: { Cookie, Origin: 'https://app.example.com' },
        redirect: 'manual',
      } as const
      assert.equal(
        (await fetch(`${own}/logout`, post)).headers.get('location')?.replace(own, ''),
        '/',
      )
    })

    await t.test('an empty variable counts as missing: the files apply', async (t) => {
      const names = ['GATEHOUSE_URL', 'GATEHOUSE_TENANT', 'GATEHOUSE_SECRET', 'APP_URL']
      const own = await app.startOne(t, Object.fromEntries(names.map((name) => [name, ''])))
      const { headers } = await fetch(`${own}/login`, { redirect: 'manual' })
      const { origin, pathname, searchParams } = new URL(headers.get('location') ?? '')
      assert.equal(origin + pathname, `${wire.url}/edge/auth/${tenant.id}/google`)
      assert.equal(searchParams.get('redirect_uri'), `${own}/auth/callback`)
      const Cookie = `gh_${new URL(own).port}_refresh=svc_rt_nonsense~b`
      await fetch(`${own}/notes`, { headers: { Cookie }, redirect: 'manual' })
      assert.match(wire.lastKey('refresh') ?? '', /^gh1_/, 'with the secret')
    })

    await t.test(
      'an outage of the service is 503 for a signed-in user, who stays signed in',
      async () => {
        expireAccessToken()
        const pair = cookies()
        await service.stop()
        assert.equal((await browser.request(`${url}/notes`)).status, 503)
        assert.deepEqual(cookies(), pair)
      },
    )
  })

  // proves C131
  test(`the recipe ${framework}, without our SDK, in two processes, says why a sign-in failed, and signs in again from there, in Chromium`, async (t) => {
    const unpacked = await unpackedLanguage(framework, language)
    if (typeof unpacked === 'string') {
      return t.skip(unpacked)
    }
    const app = await startApp(t, framework, language, unpacked.root)
    await checkSignInErrors(t, app, { ...NOTES, url: app.url, withoutSdk: true })
    assert.ok(app.crossed() >= 8, `${app.crossed()} callbacks arrived at the other process`)
  })
}

/**
 * A page of another site that sends its visitor to /logout. `SameSite=Lax` keeps the cookie out of its POST, but browsers
 * would take a `Set-Cookie` of the response.
 */
async function checkForgedSignOuts(url: string): Promise<void> {
  const forged = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  const senders: readonly Record<string, string>[] = [
    forged,
    { Origin: 'https://evil.example' },
    { Origin: 'https://app.example.com.evil.example' },
    { Origin: 'https://evil-app.example.com' },
    { Origin: 'https://app.example.com:8443' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'https://app.example.com', 'Sec-Fetch-Site': 'cross-site' },
  ]
  const withoutCookie = [...senders, {}].map((headers) => ({ ...PUBLIC_HOST, ...headers }))
  const withCookie = senders.map((headers) => ({ ...PUBLIC_HOST, ...PUBLIC_SESSION, ...headers }))
  for (const headers of [...withoutCookie, ...withCookie]) {
    const post = await rawRequest(`${url}/logout`, headers, 'POST')
    assert.deepEqual(
      [post.statusCode, post.headers['set-cookie']],
      [403, undefined],
      JSON.stringify(headers),
    )
  }
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
    const response = await rawRequest(`${url}/logout`, forged, method)
    assert.equal(response.headers['set-cookie'], undefined, method)
  }
}

/** Posts that a browser or a program sends to the app itself: each signs the user out. */
async function checkOwnSignOuts(url: string): Promise<void> {
  const port = new URL(url).port
  const local = { Cookie: `gh_${port}_access=a; gh_${port}_refresh=b~c` }
  const app = { Origin: 'https://app.example.com' }
  const senders: readonly Record<string, string>[] = [
    // The proxy ends TLS: the app sees http and the public host.
    { ...PUBLIC_HOST, ...PUBLIC_SESSION, ...app },
    { ...PUBLIC_HOST, ...PUBLIC_SESSION, ...app, 'Sec-Fetch-Site': 'same-origin' },
    // The proxy replaces the host.
    { ...local, ...app, 'X-Forwarded-Host': 'app.example.com, inner.example' },
    { ...local, ...app, 'Sec-Fetch-Site': 'same-origin' },
    { ...local, 'Sec-Fetch-Site': 'none' },
    // A program, or a browser that sends neither: SameSite lets the cookie out for the app only.
    local,
  ]
  for (const headers of senders) {
    const post = await rawRequest(`${url}/logout`, headers, 'POST')
    const text = JSON.stringify(headers)
    assert.ok(isRedirect(post.statusCode), `${post.statusCode} for ${text}`)
    assert.equal(post.headers['set-cookie']?.length, 2, text)
  }
}

const PUBLIC_HOST = { Host: 'app.example.com' }
const PUBLIC_SESSION = { Cookie: '__Host-gh_access=a; __Host-gh_refresh=b~c' }

const refreshTokenIn = (response: Response): string | undefined => {
  const [, value = ''] =
    /gh_\d+_refresh=([^;]+)/.exec(response.headers.getSetCookie().join('\n')) ?? []
  return decodeURIComponent(value).split('~')[0]
}

async function startApp(t: TestContext, framework: string, language: Language, root: string) {
  const service = await world(t, { through: 'port' })
  const { url, serve } = await listenForTwo(t)
  const { port } = new URL(url)
  const tenant = await service.agent.createTenant([`${url}/auth/callback`])
  const wire = await startWire(t, service)
  const project = await freshFolder()
  const folder = join(project, 'server', 'app')
  await writeRecipeApp(service, framework, folder)
  if (language.pages !== undefined) {
    await addPages(folder, language.pages)
  }
  const credentials = tenant.created.credentials_file.content.replace(
    /^base_url=.*$/m,
    `base_url=${wire.url}`,
  )
  // The file finds one two folders above itself, the other beside itself.
  await writeFile(join(project, '.service'), credentials)
  await writeFile(
    join(folder, '.service.secret'),
    'GATEHOUSE_SECRET=a-secret-of-at-least-32-characters\n',
  )
  const { build: [compiler, ...args] = [], env: compilerEnv } = language.command(root, 0, folder)
  if (compiler !== undefined) {
    await run(compiler, args, { cwd: folder, env: { ...process.env, ...compilerEnv } })
  }
  // The app finds its files by where its code is, not by the folder where it is started.
  const elsewhere = await freshFolder()
  const commandFor = (ownPort: number): Omit<AppCommand, 'url'> => {
    const {
      run: [program = '', ...args],
      env,
      hasWorkers = false,
    } = language.command(root, ownPort, folder)
    return { program, args, cwd: elsewhere, env, hasWorkers }
  }
  const app = await serve(commandFor)
  /** One more process, with these variables. Returns its URL. */
  const startOne = async (
    t: TestContext,
    variables: Readonly<Record<string, string>>,
  ): Promise<string> => {
    const ownPort = await freePort()
    const { env, ...command } = commandFor(ownPort)
    const url = `http://localhost:${ownPort}`
    await serveApp(t, { ...command, url, env: { ...env, ...variables } })
    return url
  }
  t.after(() => t.passed || t.diagnostic(app.output()))
  return { service, tenant, port, url, wire, crossed: app.crossed, startOne }
}

async function addPages(
  folder: string,
  { file, before, code }: NonNullable<Language['pages']>,
): Promise<void> {
  const source = await readFile(join(folder, file), 'utf8')
  const at = before === undefined ? source.length : source.indexOf(before)
  await writeFile(join(folder, file), `${source.slice(0, at)}\n${code}\n${source.slice(at)}`)
}

/** The network between app and service: it counts calls, holds them, and loses responses. */
async function startWire(t: TestContext, service: World) {
  const calls: string[] = []
  const keys = new Map<string, string | undefined>()
  const lost: string[] = []
  const held = new Map<
    string,
    { arrivals: number; readonly token: string; readonly released: Promise<void> }
  >()
  const { server, port } = await listen(t, async (req, res) => {
    const action = req.method === 'POST' ? (req.url?.split('/').at(-1) ?? '') : ''
    calls.push(action)
    keys.set(action, req.headersDistinct['idempotency-key']?.[0])
    const body = await buffer(req)
    const hold = held.get(action)
    if (hold !== undefined && body.includes(hold.token)) {
      hold.arrivals++
      await hold.released
    }
    const { host: _, ...headers } = req.headers
    const target = new URL(req.url ?? '', service.baseUrl)
    const upstream = httpRequest(target, { method: req.method ?? 'GET', headers }, (response) => {
      const at = lost.indexOf(action)
      if (at >= 0) {
        lost.splice(at, 1)
        response.resume().on('end', () => res.destroy())
        return
      }
      res.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(res)
    })
    upstream.on('error', () => res.destroy())
    upstream.end(body)
  })
  server.keepAliveTimeout = 0
  return {
    url: `http://localhost:${port}`,
    calls: (action: string): number => calls.filter((each) => each === action).length,
    /** The Idempotency-Key of the last call. */
    lastKey: (action: string): string | undefined => keys.get(action),
    /** Loses the responses to this many calls from now on. */
    loseNext: (action: string, count: number): unknown =>
      lost.splice(0, lost.length, ...Array(count).fill(action)),
    /** Holds the calls of this action; with `token`, those that have it in their body. */
    hold(action: string, token = '') {
      const { promise, resolve } = Promise.withResolvers<void>()
      const hold = { arrivals: 0, token, released: promise }
      held.set(action, hold)
      return {
        arrived: (count: number) =>
          waitUntil(`${count} ${action} calls`, () => hold.arrivals >= count),
        release: () => {
          held.delete(action)
          resolve()
        },
      }
    },
  }
}

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const isRedirect = (status: number | undefined): boolean => status === 302 || status === 303

/** On a connection of its own: some servers close one after a response that they sent early. */
const rawRequest = (
  url: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    httpRequest(url, { headers, method, agent: false }, (response) => resolve(response.resume()))
      .on('error', reject)
      .end()
  })
