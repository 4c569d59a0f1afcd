import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowsHost } from './allowed-host.ts'

const LOCAL = { baseUrl: 'http://localhost:8787', exposed: false }
const EXPOSED = { ...LOCAL, exposed: true }
const PUBLIC = { baseUrl: 'https://login.example.com', exposed: false }

const OWN = [
  undefined,
  'localhost',
  'localhost:8787',
  'LOCALHOST:8787',
  '127.0.0.1:8787',
  '[::1]:8787',
  'notes.localhost:3000',
]
const OF_NETWORK = ['gatehouse:8787', '192.168.1.7:8787', '[fd00::7]:8787']
const FOREIGN = [
  'evil.example',
  'evil.example:8787',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'localhost@evil.example',
  'localhost/evil.example',
  'evil.localhost.example',
  'localhost:99999',
  '',
]

test('a service on this machine answers to its own names only', () => {
  for (const host of OWN) {
    assert.equal(allowsHost(host, LOCAL), true, String(host))
  }
  for (const host of [...OF_NETWORK, ...FOREIGN]) {
    assert.equal(allowsHost(host, LOCAL), false, host)
  }
})

test('a development service that other machines may reach also answers to addresses and to names without a dot', () => {
  for (const host of [...OWN, ...OF_NETWORK]) {
    assert.equal(allowsHost(host, EXPOSED), true, String(host))
  }
  for (const host of FOREIGN) {
    assert.equal(allowsHost(host, EXPOSED), false, host)
  }
})

test('a public service answers to any Host', () => {
  for (const host of [...OWN, ...OF_NETWORK, ...FOREIGN]) {
    assert.equal(allowsHost(host, PUBLIC), true, String(host))
  }
})
