import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appAddress, callbackFromStored } from './url.ts'

const address = (registered: readonly string[], requested?: string) =>
  appAddress(registered.map(callbackFromStored), requested)

const APP = 'https://app.example.com/callback'
const LOCAL = 'http://localhost:3000/callback'

test('a registered redirect_uri leads back to its own host, also below a wildcard', () => {
  assert.equal(address([APP, LOCAL], LOCAL), 'http://localhost:3000/')
  assert.equal(
    address([APP, 'https://*.vercel.app/callback'], 'https://a.vercel.app/callback'),
    'https://a.vercel.app/',
  )
})

test('without a registered redirect_uri, the way back is the only public host, or none', () => {
  assert.equal(address([APP, LOCAL]), 'https://app.example.com/')
  assert.equal(address([APP, 'https://app.example.com/other']), 'https://app.example.com/')
  assert.equal(address([APP, 'https://other.example.com/callback']), null)
  assert.equal(address(['https://*.vercel.app/callback']), null)
  assert.equal(address([LOCAL]), null)
  assert.equal(address([]), null)
})

// proves C288
test('an unregistered redirect_uri is never the way back', () => {
  for (const requested of [
    'https://evil.example/callback',
    'https://app.example.com.evil.example/callback',
    'x',
  ]) {
    assert.equal(address([APP], requested), 'https://app.example.com/')
    assert.equal(address(['https://*.vercel.app/callback'], requested), null)
  }
})
