import assert from 'node:assert/strict'
import { test } from 'node:test'
import { challengeOf } from '../../src/domain/oauth/token.ts'
import { github } from '../../src/identity/providers/github.ts'
import {
  CLIENT,
  CODE_VERIFIER,
  type Responses,
  returned,
  scriptedFetch,
  summary,
} from './scripted-fetch.ts'

const TOKEN = 'https://github.com/login/oauth/access_token'
const USER = 'https://api.github.com/user'
const EMAILS = 'https://api.github.com/user/emails'
const ADA: Responses = {
  [TOKEN]: { access_token: 'gho_1', token_type: 'bearer', scope: 'read:user,user:email' },
  [USER]: {
    id: 1815,
    login: 'ada',
    name: 'Ada Lovelace',
    email: 'public@evil.example',
    avatar_url: 'https://avatars.example/1815',
  },
  [EMAILS]: [
    { email: 'other@example.com', primary: false, verified: true },
    { email: 'ada@example.com', primary: true, verified: true },
  ],
}

function client(change: Responses = {}) {
  const { fetch, sent } = scriptedFetch({ ...ADA, ...change })
  return { provider: github({ ...CLIENT, fetch }), sent }
}

const signIn = (change: Responses) => client(change).provider.signIn(returned('github'))

test('a user is the numeric id, with the primary verified email address', async () => {
  const { provider, sent } = client()
  assert.deepEqual(['https://github.com', 'https://gitlab.com'].map(provider.isIssuer), [
    true,
    false,
  ])
  assert.deepEqual(await provider.signIn(returned('github')), {
    outcome: 'identified',
    profile: {
      issuer: 'https://github.com',
      subject: '1815',
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      picture: 'https://avatars.example/1815',
    },
    hostedDomain: null,
  })
  const [exchange, ...reads] = sent
  assert.deepEqual(Object.fromEntries(new URLSearchParams(await exchange?.text())), {
    client_id: CLIENT.clientId,
    client_secret: CLIENT.clientSecret,
    code: 'the-code',
    redirect_uri: 'https://gatehouse.example/auth/github/callback',
    code_verifier: CODE_VERIFIER,
  })
  for (const request of [exchange, ...reads]) {
    assert.equal(request?.headers.get('accept'), 'application/json')
    assert.equal(request?.headers.get('user-agent'), 'gatehouse')
  }
  assert.deepEqual(
    reads.map(({ headers }) => headers.get('authorization')),
    ['Bearer gho_1', 'Bearer gho_1'],
  )
})

test('the authorization URL has a state and a code challenge', async () => {
  const { provider } = client()
  const request = {
    ...returned('github'),
    redirectUri: 'https://gatehouse.example/auth/github/callback',
  }
  const url = await provider.authorizeUrl({ ...request, hints: { loginHint: 'ada' } })
  assert.equal(url.origin + url.pathname, 'https://github.com/login/oauth/authorize')
  const { state, code_challenge, code_challenge_method, login, prompt } = Object.fromEntries(
    url.searchParams,
  )
  assert.deepEqual(
    { state, code_challenge, code_challenge_method, login, prompt },
    {
      state: 'the-state',
      code_challenge: challengeOf(CODE_VERIFIER),
      code_challenge_method: 'S256',
      login: 'ada',
      prompt: 'select_account',
    },
  )
})

test('the public email address of the profile and unverified ones are not accepted', async () => {
  const unverified = [{ email: 'ada@example.com', primary: true, verified: false }]
  assert.equal(summary(await signIn({ [EMAILS]: unverified })), 'userinfo: email_unverified')
  const secondary = [{ email: 'ada@example.com', primary: false, verified: true }]
  assert.equal(summary(await signIn({ [EMAILS]: secondary })), 'userinfo: email_missing')
  assert.equal(summary(await signIn({ [EMAILS]: [] })), 'userinfo: email_missing')
})

test('an error with status 200 fails the login, and a client that GitHub does not accept is invalid_client', async () => {
  const failure = async (error: string) => summary(await signIn({ [TOKEN]: { error } }))
  assert.equal(await failure('bad_verification_code'), 'token_exchange: invalid_grant')
  assert.equal(await failure('incorrect_client_credentials'), 'token_exchange: invalid_client')
  assert.equal(await failure('redirect_uri_mismatch'), 'token_exchange: redirect_uri_mismatch')
  assert.equal(await failure('<script>'), 'token_exchange: provider_error')
  assert.equal(summary(await signIn({ [TOKEN]: {} })), 'token_exchange: malformed_answer')
  assert.equal(summary(await signIn({ [USER]: { id: 'ada' } })), 'userinfo: subject_invalid')
  assert.equal(summary(await signIn({ [EMAILS]: { message: 'no' } })), 'userinfo: malformed_answer')
})

test('a denial at GitHub is a denial, and no code is exchanged', async () => {
  const { provider, sent } = client()
  assert.deepEqual(await provider.signIn(returned('github', { error: 'access_denied' })), {
    outcome: 'denied',
  })
  assert.equal(sent.length, 0)
})

test('the check of a client asks with a made-up code', async () => {
  const check = (error: string) =>
    client({ [TOKEN]: { error } }).provider.checkClient('https://app.example/relay')
  assert.deepEqual(await check('bad_verification_code'), { accepted: true })
  assert.deepEqual(await check('incorrect_client_credentials'), {
    accepted: false,
    errorCode: 'invalid_client',
  })
})
