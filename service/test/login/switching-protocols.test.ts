import assert from 'node:assert/strict'
import { test } from 'node:test'
import { google } from '../../src/identity/google.ts'
import { CLIENT_ID, json, metadata, NONCE, type Script, scriptedProvider } from '../support/faults/scripted-provider.ts'
import { HANG_TIMEOUT_MS } from '../support/process/wait-until.ts'

/** Node's client never ends a request whose response is 101 when it has no `upgrade` listener. */
const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: nothing\r\n\r\n'
const switchProtocols: Script = (req) => void req.socket.write(SWITCHING)
const switchProtocolsWithoutUpgrade: Script = (req) => void req.socket.write('HTTP/1.1 101 Switching\r\n\r\n')

const CALLBACK = {
  state: 'the-state',
  nonce: NONCE,
  codeVerifier: 'verifier-000000000000000000000000000000000000',
  currentUrl: new URL('https://gatehouse.example/callback?state=the-state&code=the-code'),
}

for (const script of [switchProtocols, switchProtocolsWithoutUpgrade]) {
  test(`a 101 response of any provider endpoint fails the login immediately (${script.name})`, {
    timeout: HANG_TIMEOUT_MS,
  }, async (t) => {
    for (const [path, stage] of [
      ['/token', 'token_exchange'],
      ['/userinfo', 'userinfo'],
      ['/discovery', 'token_exchange'],
    ] as const) {
      const provider = await scriptedProvider(t)
      provider.script(path, script)
      const identity = google({ issuer: provider.issuer, clientId: CLIENT_ID, clientSecret: 'secret' })
      const result = await identity.signIn(CALLBACK)
      assert.deepEqual(result.outcome === 'failed' && [result.stage, result.errorCode], [stage, 'unreachable'], path)
    }
  })
}

test('a failed discovery is retried at the next login', { timeout: HANG_TIMEOUT_MS }, async (t) => {
  const provider = await scriptedProvider(t)
  provider.script('/discovery', switchProtocols)
  const identity = google({ issuer: provider.issuer, clientId: CLIENT_ID, clientSecret: 'secret' })
  assert.equal((await identity.signIn(CALLBACK)).outcome, 'failed')
  provider.script('/discovery', json(metadata(provider.issuer)))
  assert.equal((await identity.signIn(CALLBACK)).outcome, 'identified')
})
