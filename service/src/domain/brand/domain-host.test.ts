import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDomainHost } from './domain.ts'

const PUBLIC = 'https://auth.example.org'
const LOCAL = 'http://localhost:8787'

const hostOf = (text: string, baseUrl = PUBLIC): string | null => {
  const read = readDomainHost(text, baseUrl)
  return read.ok ? read.host : null
}

test('a domain is read in lower case and Punycode', () => {
  assert.equal(hostOf(' App.Example.COM '), 'app.example.com')
  assert.equal(hostOf('münchen.example'), 'xn--mnchen-3ya.example')
  assert.equal(hostOf('example.co.uk'), 'example.co.uk')
  assert.equal(hostOf('alice.github.io'), 'alice.github.io')
})

// proves C332
test('a suffix that strangers share, an address and a wildcard are no domain of one owner', () => {
  for (const text of [
    'com',
    'co.uk',
    'github.io',
    'vercel.app',
    'herokuapp.com',
    'intranet',
    '*.example.com',
  ]) {
    assert.equal(hostOf(text), null, text)
  }
  for (const text of ['192.0.2.1', '2130706433', '0x7f.1', '[2001:db8::1]', '::1']) {
    assert.equal(hostOf(text), null, text)
  }
})

test('a domain is a host alone', () => {
  const texts = [
    'https://example.com',
    'example.com/path',
    'example.com:8443',
    'a@example.com',
    'example.com?x',
    'a b.com',
  ]
  for (const text of [
    ...texts,
    'example..com',
    'example.com.',
    '-a.example.com',
    'xn--a.example.com',
    '',
    '.',
    '%00.com',
  ]) {
    assert.equal(hostOf(text), null, text)
  }
  assert.equal(hostOf(`${'a.'.repeat(130)}example.com`), null)
})

test('only a local service verifies an app on this computer, and never itself', () => {
  for (const text of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'localhost']) {
    assert.equal(hostOf(text, LOCAL), text)
    assert.equal(hostOf(text), null, text)
  }
  for (const text of [
    'localhost:8787',
    'localhost:99999',
    'localhost:0',
    'localhost.evil.example:80',
  ]) {
    assert.equal(hostOf(text, LOCAL), null, text)
  }
  assert.equal(hostOf('auth.example.org'), null)
})
