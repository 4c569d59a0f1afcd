import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownClient } from '../../support/actors/providers.ts'
import {
  development,
  newRequestSecrets,
  ownCredentials,
  REDIRECT_URI,
  respond,
  signIn,
} from './stand-in-login.ts'

const JSON_FORM = {
  Accept: 'application/json',
  'Content-Type': 'application/x-www-form-urlencoded',
}

// proves C390
test('the development GitHub responds to every token request with 200, and its errors are in the body', async (t) => {
  const { baseUrl, ownProvider, newBrowser } = await development(t)
  const provider = ownProvider(ownCredentials(baseUrl).github)
  const secrets = newRequestSecrets()
  const newCode = async (button = 'Ada Lovelace') =>
    (await respond({ provider, browser: newBrowser() }, secrets, button)).searchParams.get(
      'code',
    ) ?? ''
  const ask = async (
    change: Readonly<Record<string, string>>,
    headers: Record<string, string> = JSON_FORM,
  ) => {
    const form = {
      ...ownClient(baseUrl, 'github'),
      redirect_uri: REDIRECT_URI,
      code_verifier: secrets.codeVerifier,
      ...change,
    }
    const url = `${baseUrl}/dev/github/login/oauth/access_token`
    const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) })
    assert.equal(response.status, 200)
    return response.text()
  }
  const errorOf = async (change: Readonly<Record<string, string>>) =>
    JSON.parse(await ask(change)).error
  const refused = 'bad_verification_code'
  assert.equal(await errorOf({ code: 'made-up' }), refused)
  assert.equal(
    await errorOf({ code: await newCode(), client_secret: 'wrong' }),
    'incorrect_client_credentials',
  )
  assert.equal(await errorOf({ code: await newCode(), client_id: 'another-client' }), refused)
  assert.equal(
    await errorOf({ code: await newCode(), redirect_uri: `${REDIRECT_URI}/x` }),
    'redirect_uri_mismatch',
  )
  assert.equal(await errorOf({ code: await newCode(), code_verifier: 'another' }), refused)
  assert.equal(await errorOf({ code: await newCode('Token exchange fails') }), refused)
  const code = await newCode()
  assert.equal(JSON.parse(await ask({ code })).token_type, 'bearer')
  assert.equal(await errorOf({ code }), refused)
  assert.match(
    await ask({ code }, {}),
    /^error=bad_verification_code&/,
    'a form, unless JSON is asked for',
  )
})

test('the API of the development GitHub needs a token and a User-Agent', async (t) => {
  const { baseUrl } = await development(t)
  for (const path of ['user', 'user/emails']) {
    const response = await fetch(`${baseUrl}/dev/github/api/${path}`, {
      headers: { Authorization: 'Bearer made-up' },
    })
    assert.equal(response.status, 401)
  }
  const unknown = ['', '/', '/login', '/api/user/keys', '/login/oauth/access_token']
  for (const path of unknown) {
    assert.equal((await fetch(`${baseUrl}/dev/github${path}`)).status, 404, path)
  }
})

test('a user of the development GitHub has a numeric id, and the public email address is never used', async (t) => {
  const { baseUrl, ownProvider, newBrowser } = await development(t)
  const provider = ownProvider(ownCredentials(baseUrl).github)
  const result = await signIn({ provider, browser: newBrowser() }, 'Ada Lovelace')
  assert.ok(result.outcome === 'identified')
  assert.match(result.profile.subject, /^\d{1,16}$/)
  assert.deepEqual(
    { ...result.profile, subject: '' },
    {
      issuer: 'https://github.com',
      subject: '',
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      picture: `${baseUrl}/dev/github/people/ada.svg`,
    },
  )
  assert.equal(
    (await fetch(result.profile.picture ?? '')).headers.get('content-type'),
    'image/svg+xml',
  )
})

test('the development GitHub accepts only the code challenge method S256', async (t) => {
  const { baseUrl, ownProvider, newBrowser } = await development(t)
  const provider = ownProvider(ownCredentials(baseUrl).github)
  const url = await provider.authorizeUrl({ ...newRequestSecrets(), redirectUri: REDIRECT_URI })
  url.searchParams.set('code_challenge_method', 'plain')
  const browser = newBrowser()
  await browser.open(url)
  assert.equal(browser.page.status, 400)
  assert.match(browser.page.text, /must be S256/)
})
