import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { fixedIssuer } from './provider.ts'
import {
  applePrivateKeyProblem,
  issuerProblem,
  normalizeIssuer,
  readProviderName,
  relayProblem,
} from './provider-client.ts'

const PUBLIC = 'https://sign-in.example.com'

// proves S080
test('an issuer is on the public internet; only a local service may use one on the same machine', () => {
  for (const issuer of [
    'https://login.example.com',
    'https://login.example.com/tenant',
    'https://login.example.com:8443',
  ]) {
    assert.equal(issuerProblem(issuer, PUBLIC), null, issuer)
  }
  assert.equal(issuerProblem('http://localhost:8787/dev/oidc', 'http://localhost:8787'), null)
  for (const issuer of [
    'login.example.com',
    'http://login.example.com',
    'http://localhost:8787',
    'https://localhost',
    'https://127.0.0.1',
    'https://[::1]',
    'https://[::ffff:10.0.0.1]',
    'https://2130706433',
    'https://0x7f.1',
    'https://10.0.0.1',
    'https://intranet',
    'https://login.example.com:22',
    'https://user:password@login.example.com',
    'https://:password@login.example.com',
    'https://login.example.com/#x',
    'https://login.example.com/?x',
    'https://login.example.com/?',
  ]) {
    assert.notEqual(issuerProblem(issuer, PUBLIC), null, issuer)
  }
})

test('an issuer is stored without spaces around it, with scheme and host in lower case and without the default port', () => {
  for (const [written, stored] of [
    [' https://Login.Example.COM \n', 'https://login.example.com'],
    ['HTTPS://login.example.com:443/Tenant/v2.0', 'https://login.example.com/Tenant/v2.0'],
    ['https://login.example.com:8443/', 'https://login.example.com:8443'],
    ['https://login.example.com/tenant/', 'https://login.example.com/tenant/'],
    ['http://LOCALHOST:80/dev', 'http://localhost/dev'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ] as const) {
    assert.equal(normalizeIssuer(written), stored)
  }
  for (const refused of [
    'login.example.com',
    'https://',
    'ftp://Example.com',
    'https://User:pw@login.example.com',
  ]) {
    assert.equal(normalizeIssuer(refused), refused, 'left for the check that refuses it')
  }
})

// proves S068
test('a provider may have a name that is also a brand only if its issuer is on a domain of that brand', () => {
  const read = (name: string, issuer: string) => readProviderName(name, issuer, 'Example Inc.')
  assert.deepEqual(read('Ｏkta', 'https://acme.okta.com'), { ok: true, name: 'Okta' })
  assert.deepEqual(read('Acme', 'http://localhost:8787/dev/oidc'), { ok: true, name: 'Acme' })
  for (const [name, issuer] of [
    ['Okta', 'https://okta.com.evil.example'],
    ['Okta', 'no URL'],
    ['Google', 'https://accounts.google.com'],
    ['Example Inc', 'https://login.example.com'],
    ['Security', 'https://login.example.com'],
  ] as const) {
    assert.equal(read(name, issuer).ok, false, `${name} ${issuer}`)
  }
})

// proves S082
test('a relay is on a host that is registered by its whole name, with the same scheme and port', () => {
  const callbacks = [
    'https://app.example.com/callback',
    'https://*.preview.example.com/callback',
    'http://localhost/cb',
  ]
  for (const relay of ['https://app.example.com/relay', 'http://localhost:3000/relay']) {
    assert.equal(relayProblem(relay, callbacks), null, relay)
  }
  for (const relay of [
    'relay',
    'http://app.example.com/relay',
    'https://app.example.com:8443/relay',
    'https://x.preview.example.com/relay',
    'https://app.example.com.evil.example/relay',
    'https://app.example.com@evil.example/relay',
    'https://me@app.example.com/relay',
    'https://:secret@app.example.com/relay',
    'https://app.example.com/relay?x=1',
    'https://app.example.com/relay#x',
    'https://app.example.com/a/../relay',
    'https://localhost/relay',
    'http://127.0.0.1:3000/relay',
  ]) {
    assert.notEqual(relayProblem(relay, callbacks), null, relay)
  }
})

test('the key of Apple is an EC key on P-256', () => {
  const pem = (type: 'ec' | 'rsa', curve = 'P-256'): string => {
    const pair =
      type === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: curve })
        : generateKeyPairSync('rsa', { modulusLength: 2_048 })
    return pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  }
  assert.equal(applePrivateKeyProblem(pem('ec')), null)
  for (const key of [pem('ec', 'P-384'), pem('rsa'), 'none', '', pem('ec').replace(/^M/m, 'x')]) {
    assert.notEqual(applePrivateKeyProblem(key), null)
  }
})

test('an issuer of Microsoft is that of a directory, as it is in ID tokens', () => {
  const host = 'https://login.microsoftonline.com'
  const directory = '9188040d-6c67-4c5b-b112-36a304b66dad'
  assert.equal(fixedIssuer(`${host}/${directory}/v2.0`), 'microsoft')
  assert.equal(fixedIssuer('https://github.com'), 'github')
  for (const other of [
    `${host}/${directory}/v2.0/`,
    `${host}/${directory.toUpperCase()}/v2.0`,
    `${host}/common/v2.0`,
    `${host}/${directory}`,
    `${host}/${directory}0/v2.0`,
    `${host}.evil.example/${directory}/v2.0`,
    `https://logon.microsoftonline.com/${directory}/v2.0`,
    'https://github.com/',
  ]) {
    assert.equal(fixedIssuer(other), null, other)
  }
})
