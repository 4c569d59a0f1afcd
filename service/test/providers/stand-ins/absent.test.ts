import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standIns } from '../../../development/stand-ins.ts'
import { readConfig } from '../../../src/config.ts'
import { identityFor } from '../../../src/identity-for.ts'
import { CLIENT_ID, scriptedProvider } from '../../support/faults/scripted-provider.ts'
import { world } from '../../support/world.ts'
import { PROVIDER_KIND_NAMES } from './stand-in-login.ts'

const SERVED = [
  ...PROVIDER_KIND_NAMES.map((kind) => `/dev/${kind}/style.css`),
  '/dev/google/o/oauth2/v2/auth',
  '/dev/github/login/oauth/authorize',
  '/dev/microsoft/.well-known/openid-configuration',
  '/dev/apple/.well-known/openid-configuration',
  '/dev/oidc/.well-known/openid-configuration',
]
const PATHS = [...PROVIDER_KIND_NAMES.map((kind) => `/dev/${kind}`), ...SERVED]

// proves C398
test('with a real Google no stand-in exists: every path below /dev is 404', async (t) => {
  const provider = await scriptedProvider(t)
  const real = await world(t, {
    env: {
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_CLIENT_SECRET: 'secret',
      GOOGLE_ISSUER: provider.issuer,
    },
  })
  const development = await world(t)
  const found: string[] = []
  for (const path of PATHS) {
    assert.equal((await real.agent.call('GET', path)).status, 404, path)
    if ((await development.agent.call('GET', path)).status !== 404) {
      found.push(path)
    }
  }
  assert.deepEqual(found, SERVED, 'the paths of the stand-ins have changed')
  assert.deepEqual(provider.requests, [])
})

test('a public service has no stand-in, and shares only the providers that are configured', () => {
  const env = {
    BASE_URL: 'https://login.example.com',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
  }
  const shared = (change: Readonly<Record<string, string>>) => {
    const read = readConfig({ ...env, ...change })
    assert.ok(read.ok)
    const { sharedProviders, devProvider, testProfile } = identityFor(read.config, {
      now: Date.now,
    })
    assert.deepEqual([devProvider, testProfile], [null, null])
    return [...sharedProviders.keys()]
  }
  assert.deepEqual(shared({}), [])
  assert.deepEqual(shared({ GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' }), ['github'])
  assert.deepEqual(shared({ MICROSOFT_CLIENT_ID: 'id', MICROSOFT_CLIENT_SECRET: 'secret' }), [
    'microsoft',
  ])
})

test('the stand-ins start on localhost only', () => {
  for (const baseUrl of [
    'https://login.example.com',
    'http://localhost.example.com',
    'http://10.0.0.1:8787',
  ]) {
    assert.throws(() => standIns(baseUrl, Date.now), /on localhost only/, baseUrl)
  }
})

test('only in development may a client ask an OpenID provider on this machine', async (t) => {
  const provider = await scriptedProvider(t)
  const client = {
    kind: 'oidc' as const,
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecret: 'secret',
  }
  const issuerWith = async (env: Readonly<Record<string, string>>) => {
    const read = readConfig(env)
    assert.ok(read.ok)
    return identityFor(read.config, { now: Date.now }).ownProvider(client).issuer()
  }
  assert.equal(await issuerWith({}), provider.issuer)
  const publicly = {
    BASE_URL: 'https://login.example.com',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
  }
  const before = provider.requests.length
  await assert.rejects(issuerWith(publicly), /cannot be reached/)
  assert.equal(provider.requests.length, before, 'nothing was sent')
})
