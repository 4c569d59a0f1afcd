import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROVIDERS } from '@gatehouse-auth/contract'
import { devPlain } from '../../../development/oidc.ts'
import { oidc } from '../../../src/identity/providers/oidc.ts'
import { Browser } from '../../support/actors/browser.ts'
import { listen } from '../../support/transport/listen.ts'
import { signIn } from './stand-in-login.ts'

const ISSUER = 'https://id.acme.example'

for (const chooser of [true, false]) {
  test(`a named provider that is plain OpenID Connect needs its definition alone, ${chooser ? 'with' : 'without'} an account chooser`, async (t) => {
    const { server, port } = await listen(t)
    const url = `http://localhost:${port}/dev/acme`
    const definition = { ...PROVIDERS.google, label: 'Acme', issuer: ISSUER, chooser }
    const standIn = await devPlain('acme', definition, { url, clients: [], now: Date.now })
    server.on('request', standIn.listener)

    const provider = oidc({
      issuer: ISSUER,
      clientId: 'owner-client',
      clientSecret: 'any-secret',
      chooser,
      insecure: true,
      fetch: (input, init) => fetch(new Request(input, init).url.replace(ISSUER, url), init),
    })
    const secrets = { state: 'state', nonce: 'nonce', codeVerifier: 'verifier' }
    const redirectUri = 'https://app.example.com/relay'
    const { searchParams } = await provider.authorizeUrl({ ...secrets, redirectUri })
    assert.equal(searchParams.get('prompt'), chooser ? 'select_account' : null)

    const browser = new Browser({ origins: [new URL(url).origin] })
    const result = await signIn({ provider, browser }, 'Ada Lovelace')
    assert.ok(result.outcome === 'identified', JSON.stringify(result))
    assert.equal(result.profile.issuer, ISSUER)
    assert.equal(result.profile.email, 'ada@example.com')
  })
}
