import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROVIDER_KINDS } from '@gatehouse-auth/contract'
import { ownClient } from '../../support/actors/providers.ts'
import { summary } from '../scripted-fetch.ts'
import {
  development,
  newRequestSecrets,
  ownCredentials,
  PROVIDER_KIND_NAMES,
  REDIRECT_URI,
  respond,
  signIn,
} from './stand-in-login.ts'

/** What each button and each outcome of the cookie leads to. */
const FAULTS = {
  token_exchange: ['Token exchange fails', 'token_exchange: invalid_grant'],
  userinfo: ['Userinfo fails', 'userinfo: provider_error'],
  email_unverified: ['Email not verified', 'userinfo: email_unverified'],
} as const
const WITHOUT_USERINFO: readonly string[] = ['microsoft', 'apple']

test('everything that an owner enters for a client is part of its credentials, but for the name on the pages', () => {
  const baseUrl = 'http://localhost'
  for (const kind of PROVIDER_KIND_NAMES) {
    const { display_name: _onPages, ...entered } = ownClient(baseUrl, kind)
    const stored: readonly unknown[] = Object.values(ownCredentials(baseUrl)[kind])
    const missing = Object.entries(entered).filter(([, value]) => !stored.includes(value))
    assert.deepEqual(
      missing,
      [],
      `${kind}: CREDENTIAL_FIELDS of domain/providers/provider-client.ts`,
    )
  }
})

for (const kind of PROVIDER_KIND_NAMES) {
  test(`${kind}: an owner's client with any id and secret signs each sample user in, the same user each time`, async (t) => {
    const { baseUrl, ownProvider, newBrowser } = await development(t)
    const provider = ownProvider(ownCredentials(baseUrl)[kind])
    assert.deepEqual(await provider.checkClient(REDIRECT_URI), { accepted: true })
    const subjects = new Set<string>()
    for (const name of ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Ada Lovelace']) {
      const result = await signIn({ provider, browser: newBrowser() }, name)
      assert.ok(result.outcome === 'identified', `${name}: ${JSON.stringify(result)}`)
      assert.equal(result.profile.email, `${name.split(' ')[0]?.toLowerCase()}@example.com`)
      subjects.add(result.profile.subject)
    }
    assert.equal(subjects.size, 3)
    const byCookie = await signIn({ provider, browser: newBrowser('ada@example.com') })
    assert.ok(byCookie.outcome === 'identified' && subjects.has(byCookie.profile.subject))
    const other = await signIn({ provider, browser: newBrowser() }, 'Continue', {
      email: 'mary@example.com',
    })
    assert.ok(other.outcome === 'identified' && !subjects.has(other.profile.subject))
  })

  test(`${kind}: every fault works by its button and by the cookie, and Cancel is a denial`, async (t) => {
    const { baseUrl, ownProvider, newBrowser } = await development(t)
    const provider = ownProvider(ownCredentials(baseUrl)[kind])
    for (const [outcome, [label, expected]] of Object.entries(FAULTS)) {
      if (outcome === 'userinfo' && WITHOUT_USERINFO.includes(kind)) {
        continue
      }
      const button =
        kind === 'github' && outcome === 'email_unverified' ? 'No verified email' : label
      assert.equal(
        summary(await signIn({ provider, browser: newBrowser() }, button)),
        expected,
        button,
      )
      const byCookie = await signIn({ provider, browser: newBrowser(`ada@example.com|${outcome}`) })
      assert.equal(summary(byCookie), expected, outcome)
    }
    assert.equal(summary(await signIn({ provider, browser: newBrowser() }, 'Cancel')), 'denied')
    assert.equal(
      summary(await signIn({ provider, browser: newBrowser('ada@example.com|deny') })),
      'denied',
    )
  })

  test(`${kind}: a code works once, with the verifier or nonce of its login, and a made-up code is refused`, async (t) => {
    const { baseUrl, ownProvider, newBrowser } = await development(t)
    const provider = ownProvider(ownCredentials(baseUrl)[kind])
    const secrets = newRequestSecrets()
    const start = () => respond({ provider, browser: newBrowser() }, secrets, 'Ada Lovelace')
    const currentUrl = await start()
    assert.equal((await provider.signIn({ ...secrets, currentUrl })).outcome, 'identified')
    assert.equal(
      summary(await provider.signIn({ ...secrets, currentUrl })),
      'token_exchange: invalid_grant',
    )
    const another = { ...newRequestSecrets(), state: secrets.state, currentUrl: await start() }
    const refused = kind === 'apple' ? 'invalid_id_token' : 'invalid_grant'
    assert.equal(summary(await provider.signIn(another)), `token_exchange: ${refused}`)
  })

  test(`${kind}: the page names its provider and says that accounts are not real`, async (t) => {
    const { baseUrl, ownProvider, newBrowser } = await development(t)
    const browser = newBrowser()
    const provider = ownProvider(ownCredentials(baseUrl)[kind])
    await browser.open(
      await provider.authorizeUrl({ ...newRequestSecrets(), redirectUri: REDIRECT_URI }),
    )
    const { label } = PROVIDER_KINDS[kind]
    assert.match(browser.page.text, new RegExp(`Development ${label}: no real accounts`))
    assert.match(browser.page.text, new RegExp(`href="/dev/${kind}/style.css"`))
    assert.match(browser.page.text, /app\.example\.com/)
    assert.doesNotMatch(browser.page.text, /<script/)
    assert.match(browser.page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  })

  test(`${kind}: a redirect URI must be https or loopback, and a refused one is shown, not followed`, async (t) => {
    const { baseUrl, ownProvider, newBrowser } = await development(t)
    const provider = ownProvider(ownCredentials(baseUrl)[kind])
    const local = await signIn(
      { provider, browser: newBrowser(), redirectUri: 'http://127.0.0.1:9/relay' },
      'Alan Turing',
    )
    assert.equal(local.outcome, 'identified')
    for (const redirectUri of ['http://app.example.com/relay', 'javascript:alert(1)', 'nowhere']) {
      const browser = newBrowser()
      await browser.open(await provider.authorizeUrl({ ...newRequestSecrets(), redirectUri }))
      assert.equal(browser.page.status, 400, redirectUri)
      assert.match(browser.page.text, /can’t continue/)
    }
  })
}

/** A client of Apple authenticates with a key. */
const WITH_SECRET = PROVIDER_KIND_NAMES.filter((kind) => kind !== 'apple')

for (const kind of WITH_SECRET) {
  test(`${kind}: a client secret that starts with "wrong" is invalid_client, when it is checked and when a user signs in`, async (t) => {
    const { baseUrl, ownProvider, newBrowser } = await development(t)
    const credentials = { ...ownCredentials(baseUrl)[kind], clientSecret: 'wrong-secret' }
    const provider = ownProvider(credentials)
    assert.deepEqual(await provider.checkClient(REDIRECT_URI), {
      accepted: false,
      errorCode: 'invalid_client',
    })
    const result = await signIn({ provider, browser: newBrowser() }, 'Ada Lovelace')
    assert.equal(summary(result), 'token_exchange: invalid_client')
  })
}

test('a stand-in that is slow, because it loads or the machine is busy, fails no sign-in', async (t) => {
  const { baseUrl, identity, ownProvider, newBrowser } = await development(t)
  const { timeout } = AbortSignal
  // Every deadline of a sign-in has passed before its first request.
  t.mock.method(AbortSignal, 'timeout', (ms: number) =>
    ms === 8_000 ? AbortSignal.abort() : timeout(ms),
  )
  const { github, microsoft } = ownCredentials(baseUrl)
  const redirectUri = `${baseUrl}/auth/google/callback`
  for (const login of [
    { provider: identity, browser: newBrowser(), redirectUri },
    { provider: ownProvider(github), browser: newBrowser() },
    { provider: ownProvider(microsoft), browser: newBrowser() },
  ]) {
    assert.equal((await signIn(login, 'Ada Lovelace')).outcome, 'identified')
  }
})

test('the shared clients of the service sign users in, from its own callback only', async (t) => {
  const { baseUrl, identity, sharedProviders, newBrowser } = await development(t)
  assert.deepEqual([...sharedProviders.keys()], ['github', 'microsoft'])
  for (const [name, provider] of [['google', identity] as const, ...sharedProviders]) {
    const redirectUri = `${baseUrl}/auth/${name}/callback`
    assert.equal(
      (await signIn({ provider, browser: newBrowser(), redirectUri }, 'Ada Lovelace')).outcome,
      'identified',
    )
    const browser = newBrowser()
    await browser.open(
      await provider.authorizeUrl({ ...newRequestSecrets(), redirectUri: REDIRECT_URI }),
    )
    assert.equal(browser.page.status, 400, name)
  }
})

test('another secret than the random one does not authenticate the shared clients', async (t) => {
  const { baseUrl, ownProvider } = await development(t)
  const client = { clientId: 'gatehouse-development', clientSecret: 'any-secret' }
  const refused = { accepted: false, errorCode: 'invalid_client' }
  for (const kind of ['google', 'github'] as const) {
    assert.deepEqual(
      await ownProvider({ kind, ...client }).checkClient(`${baseUrl}/auth/${kind}/callback`),
      refused,
    )
  }
  const microsoft = ownProvider({ kind: 'microsoft', ...client, directory: 'common' })
  assert.deepEqual(await microsoft.checkClient(`${baseUrl}/auth/microsoft/callback`), refused)
})

// proves C390
test('an outcome of the cookie that a provider does not have is a 400 that names the others', async (t) => {
  const { baseUrl, ownProvider, newBrowser } = await development(t)
  for (const [kind, outcome, valid] of [
    ['microsoft', 'userinfo', 'deny, token_exchange, email_unverified, user_upsert'],
    ['apple', 'userinfo', 'deny, token_exchange, email_unverified, user_upsert'],
    ['github', 'user_upsert', 'deny, token_exchange, userinfo, email_unverified'],
  ] as const) {
    const browser = newBrowser(`ada@example.com|${outcome}`)
    const provider = ownProvider(ownCredentials(baseUrl)[kind])
    await browser.open(
      await provider.authorizeUrl({ ...newRequestSecrets(), redirectUri: REDIRECT_URI }),
    )
    assert.equal(browser.page.status, 400)
    assert.match(
      browser.page.text,
      new RegExp(`can’t fail with (&quot;|")${outcome}.*Use one of: ${valid}\\.`),
    )
  }
})

test('a subject that is too long to store reaches the service', async (t) => {
  const { baseUrl, ownProvider, newBrowser } = await development(t)
  // The ids of GitHub's users are numbers.
  for (const kind of PROVIDER_KIND_NAMES.filter((each) => each !== 'github')) {
    const provider = ownProvider(ownCredentials(baseUrl)[kind])
    const result = await signIn({ provider, browser: newBrowser() }, 'User can’t be stored')
    assert.equal(result.outcome === 'identified' && result.profile.subject.length, 300, kind)
  }
})
