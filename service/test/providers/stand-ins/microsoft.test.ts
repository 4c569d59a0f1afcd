import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import type { ProviderCredentials } from '../../../src/domain/providers/provider-client.ts'
import { microsoft } from '../../../src/identity/providers/microsoft.ts'
import {
  development,
  newRequestSecrets,
  ownCredentials,
  REDIRECT_URI,
  respond,
  signIn,
} from './stand-in-login.ts'

const HOST = 'https://login.microsoftonline.com'
const DIRECTORY = '00000000-0000-4000-8000-000000001815'

const readJson = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T

// proves C390
test('the development Microsoft publishes an issuer template, and each user has the issuer of their directory', async (t) => {
  const { baseUrl, ownProvider, newBrowser } = await development(t)
  const metadata = await readJson<Record<string, string>>(
    `${baseUrl}/dev/microsoft/.well-known/openid-configuration`,
  )
  assert.equal(metadata.issuer, `${HOST}/{tenantid}/v2.0`)
  for (const endpoint of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    assert.ok(metadata[endpoint]?.startsWith(`${baseUrl}/dev/microsoft/`), endpoint)
  }
  const provider = ownProvider(ownCredentials(baseUrl).microsoft)
  const [sample, other] = [
    await signIn({ provider, browser: newBrowser() }, 'Ada Lovelace'),
    await signIn({ provider, browser: newBrowser() }, 'Continue', {
      email: 'ada@contoso.example',
      tid: 'another',
    }),
  ]
  assert.ok(sample.outcome === 'identified' && other.outcome === 'identified')
  assert.equal(sample.profile.issuer, `${HOST}/${DIRECTORY}/v2.0`)
  assert.match(sample.profile.subject, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.equal(other.profile.issuer, `${HOST}/another/v2.0`)
})

test('a single directory of the development Microsoft publishes its own issuer, and its clients accept no other', async (t) => {
  const { baseUrl, ownProvider, newBrowser } = await development(t)
  const issuerOf = async (directory: string): Promise<string | undefined> =>
    (
      await readJson<Record<string, string>>(
        `${baseUrl}/dev/microsoft/${directory}/.well-known/openid-configuration`,
      )
    ).issuer
  const [one, other] = [
    '11111111-2222-3333-4444-555555555555',
    '66666666-7777-8888-9999-000000000000',
  ]
  assert.equal(await issuerOf(one), `${HOST}/${one}/v2.0`)
  assert.equal(await issuerOf('consumers'), `${HOST}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`)
  assert.match(
    (await issuerOf('contoso.example')) ?? '',
    /^https:\/\/login\.microsoftonline\.com\/[0-9a-f-]{36}\/v2\.0$/,
  )
  for (const shared of ['common', 'organizations']) {
    assert.equal(await issuerOf(shared), `${HOST}/{tenantid}/v2.0`)
  }

  const own = { ...ownCredentials(baseUrl).microsoft, directory: one } as ProviderCredentials
  for (const directory of [one, 'contoso.example', 'consumers']) {
    const provider = ownProvider({ ...own, directory } as ProviderCredentials)
    const result = await signIn({ provider, browser: newBrowser() }, 'Ada Lovelace')
    assert.ok(result.outcome === 'identified', directory)
    assert.equal(result.profile.issuer, await issuerOf(directory))
  }
  // A token endpoint that answers with a user of another directory.
  const provider = microsoft({
    ...{ clientId: 'owner-client', clientSecret: 'any-secret', directory: one, insecure: true },
    fetch: (input, init) => {
      const url = String(input).replace(`${HOST}/${one}/v2.0`, `${baseUrl}/dev/microsoft/${one}`)
      return fetch(url.endsWith('/token') ? url.replace(one, other) : url, init)
    },
  })
  const refused = await signIn({ provider, browser: newBrowser() }, 'Ada Lovelace')
  assert.ok(refused.outcome === 'failed' && refused.errorCode === 'invalid_id_token')
})

test('the ID token of the development Microsoft is signed, and has another sub for each client', async (t) => {
  const { baseUrl, newBrowser } = await development(t)
  const { keys } = await readJson<{ keys: Record<string, string>[] }>(
    `${baseUrl}/dev/microsoft/discovery/v2.0/keys`,
  )
  const claimsFor = async (clientId: string) => {
    const tokens: { id_token: string }[] = []
    const provider = microsoft({
      clientId,
      clientSecret: 'any-secret',
      directory: 'common',
      insecure: true,
      // The stand-in over the network, and a copy of its token response.
      fetch: async (input, init) => {
        const url = String(input).replace(`${HOST}/common/v2.0`, `${baseUrl}/dev/microsoft`)
        const response = await fetch(url, init)
        if (url.endsWith('/token')) {
          tokens.push((await response.clone().json()) as { id_token: string })
        }
        return response
      },
    })
    const secrets = newRequestSecrets()
    const currentUrl = await respond({ provider, browser: newBrowser() }, secrets, 'Ada Lovelace')
    assert.equal(currentUrl.searchParams.get('iss'), null)
    assert.equal((await provider.signIn({ ...secrets, currentUrl })).outcome, 'identified')
    const [header = '', payload = '', signature = ''] = tokens[0]?.id_token.split('.') ?? []
    const key = createPublicKey({ key: keys[0] ?? {}, format: 'jwk' })
    assert.ok(
      verify(
        'sha256',
        Buffer.from(`${header}.${payload}`),
        key,
        Buffer.from(signature, 'base64url'),
      ),
    )
    return JSON.parse(Buffer.from(payload, 'base64url').toString())
  }
  const [one, two] = [await claimsFor('client-1'), await claimsFor('client-2')]
  assert.equal(one.oid, two.oid)
  assert.notEqual(one.sub, two.sub)
  assert.deepEqual([one.tid, one.xms_edov, one.email_verified], [DIRECTORY, true, undefined])
})

test('in development no request leaves for Microsoft or Apple', async (t) => {
  const { baseUrl, ownProvider } = await development(t)
  const { microsoft, apple } = ownCredentials(baseUrl)
  for (const credentials of [microsoft, apple]) {
    const url = await ownProvider(credentials).authorizeUrl({
      ...newRequestSecrets(),
      redirectUri: REDIRECT_URI,
    })
    assert.equal(url.origin, baseUrl)
  }
})
