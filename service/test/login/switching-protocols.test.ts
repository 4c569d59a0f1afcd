import assert from 'node:assert/strict'
import { test } from 'node:test'
import { google } from '../../src/identity/google.ts'
import { CLIENT_ID, json, metadata, NONCE, type Script, scriptedProvider } from '../support/faults/scripted-provider.ts'
import { AMPLE_MS } from '../support/process/soon.ts'

/** Node ends no request by itself when the response is 101 and the client listens for no upgrade. */
const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: nothing\r\n\r\n'
const switchProtocols: Script = (req) => void req.socket.write(SWITCHING)
const switchProtocolsWithoutUpgrade: Script = (req) => void req.socket.write('HTTP/1.1 101 Switching\r\n\r\n')

const returned = {
  state: 'the-state',
  nonce: NONCE,
  codeVerifier: 'verifier-000000000000000000000000000000000000',
  currentUrl: new URL('https://gatehouse.example/callback?state=the-state&code=the-code'),
}

for (const script of [switchProtocols, switchProtocolsWithoutUpgrade]) {
  test(`a provider that answers 101 fails the sign-in at once, at every endpoint (${script.name})`, {
    timeout: AMPLE_MS,
  }, async (t) => {
    for (const [path, stage] of [
      ['/token', 'token_exchange'],
      ['/userinfo', 'userinfo'],
      ['/discovery', 'token_exchange'],
    ] as const) {
      const provider = await scriptedProvider(t)
      provider.script(path, script)
      const identity = google({ issuer: provider.issuer, clientId: CLIENT_ID, clientSecret: 'secret' })
      const came = await identity.signIn(returned)
      assert.deepEqual(came.outcome === 'failed' && [came.stage, came.errorCode], [stage, 'unreachable'], path)
    }
  })
}

test('a discovery that failed is tried again at the next sign-in', { timeout: AMPLE_MS }, async (t) => {
  const provider = await scriptedProvider(t)
  provider.script('/discovery', switchProtocols)
  const identity = google({ issuer: provider.issuer, clientId: CLIENT_ID, clientSecret: 'secret' })
  assert.equal((await identity.signIn(returned)).outcome, 'failed')
  provider.script('/discovery', json(metadata(provider.issuer)))
  assert.equal((await identity.signIn(returned)).outcome, 'identified')
})
