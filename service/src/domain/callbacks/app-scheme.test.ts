import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coveringNames } from '../brand/domain.ts'
import { matchCallback } from './match.ts'
import {
  allowsOrigin,
  appAddress,
  blockingHosts,
  callbackFromStored,
  callbackHostsOf,
  homeOf,
  needsCode,
  readCallbackUrl,
} from './url.ts'

// Callbacks of installed apps (RFC 8252, section 7.1).

const APP = 'com.example.app:/oauth/callback'

test('the reverse of a domain with a path can be registered as the callback of an app, with a warning', () => {
  for (const [raw, href = raw] of [
    [APP],
    ['com.example.app://callback'],
    ['com.example.app://callback/login?x=1'],
    ['COM.Example.App:/Callback', 'com.example.app:/Callback'],
    ['io.github.someone.notes:/cb'],
    ['uk.co.example:/cb'],
    ['com.my-app:/cb'],
  ] as const) {
    const read = readCallbackUrl(raw)
    assert.ok(read.ok, `${raw}: ${read.ok ? '' : read.problem}`)
    assert.equal(read.callback.href, href)
    assert.match(read.warning ?? '', /one-time codes only/)
    assert.deepEqual(callbackFromStored(href), read.callback)
    assert.equal(needsCode(href), true)
  }
})

// proves S124
test('a scheme of the system or without a domain, and a path that parsers read differently, cannot be registered', () => {
  for (const raw of [
    // No domain, or one that can't be registered.
    'myapp:/callback',
    'myapp://callback',
    'exp://localhost:8081',
    'invalidtld.example.app:/cb',
    'com:/cb',
    'uk.co:/cb',
    'com..app:/cb',
    '.com.example:/cb',
    'com.example.:/cb',
    'com.exa_mple:/cb',
    'com.exa+mple:/cb',
    'com.*:/cb',
    '*.example.com:/cb',
    // Scripts, files and programs of the system.
    'javascript:alert(1)',
    'javascript://example.com/%0aalert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'intent://example.com#Intent;end',
    'microsoft.windows.camera:/cb',
    'mailto:a@example.com',
    'tel:1',
    // No path, or one that is read in two ways.
    'com.example.app',
    'com.example.app:',
    'com.example.app:callback',
    'com.example.app:/',
    'com.example.app://',
    'com.example.app:///cb',
    'com.example.app://user@callback/cb',
    'com.example.app:/a@b',
    'com.example.app:/a/../b',
    'com.example.app:/a/%2e%2e/b',
    'com.example.app:/cb#x',
    'com.example.app:\\cb',
    'com.example.app:/c b',
    'com.example.app:/*',
    'com.example.app:/cb?code=1',
    'com.example.app:/cb?access_token=1',
    'com.example.app://CALLBACK:99999/cb?x=%',
    // Sites in disguise.
    'https.example.com',
    'https:/app.example.com/cb',
    'https:app.example.com/cb',
    '\tcom.example.app:/cb',
  ]) {
    assert.equal(readCallbackUrl(raw).ok, false, raw)
  }
})

// proves S125
test('a login returns to an app only at its exact scheme and path', () => {
  const registered = [APP, 'https://app.example.com/oauth/callback'].map(callbackFromStored)
  assert.deepEqual(matchCallback(APP, registered), { ok: true, href: APP })
  assert.deepEqual(matchCallback('COM.example.APP:/oauth/callback', registered), {
    ok: true,
    href: APP,
  })
  for (const [requested, differs] of [
    ['com.example.app:/oauth/callback/', 'path'],
    ['com.example.app:/oauth/Callback', 'path'],
    ['com.example.app://oauth/callback', 'path'],
    ['com.example.app:/oauth/callback?x=1', 'query'],
    ['com.example.other:/oauth/callback', 'scheme'],
    ['com.example.app.evil:/oauth/callback', 'scheme'],
    ['com.evil.app://app.example.com/oauth/callback', 'scheme'],
    ['http://com.example.app/oauth/callback', 'host'],
    ['https://com.example.app:443/oauth/callback', 'host'],
  ] as const) {
    const match = matchCallback(requested, registered)
    assert.ok(!match.ok, requested)
    assert.equal(match.differs, differs, requested)
  }
  const sites = [
    callbackFromStored('https://app.example.com/cb'),
    callbackFromStored('https://*.example.com/cb'),
  ]
  for (const requested of ['com.example.app:/cb', 'com.example.app://app.example.com/cb']) {
    assert.equal(matchCallback(requested, sites).ok, false, requested)
  }
})

// proves S126
test('an app has no origin and no start page, and the host in its URL proves nothing', () => {
  const disguised = 'com.evil.app://example.com/cb'
  const registered = [APP, disguised].map(callbackFromStored)
  for (const origin of [
    'com.example.app:',
    'com.example.app://',
    'com.evil.app://example.com',
    'https://example.com',
    'null',
  ]) {
    assert.equal(allowsOrigin(origin, registered), false, origin)
  }
  assert.equal(homeOf(disguised), null)
  assert.equal(appAddress(registered, disguised), null)
  assert.equal(appAddress([...registered, callbackFromStored('https://example.com/cb')], APP), null)
  assert.deepEqual(callbackHostsOf([APP, disguised]), ['com.example.app:', 'com.evil.app:'])
  const verified = { host: 'example.com', status: 'verified', method: 'dns' } as Parameters<
    typeof coveringNames
  >[0][number]
  assert.deepEqual(coveringNames([verified], new URL('https://example.com/cb')), ['example.com'])
  assert.deepEqual(coveringNames([verified], new URL(disguised)), [])
})

test('the block of a host applies to the schemes of its apps', () => {
  assert.deepEqual(blockingHosts('com.evil.app:'), ['app.evil.com', 'evil.com', 'com'])
  assert.equal(blockingHosts('com.notevil.app:').includes('evil.com'), false)
})
