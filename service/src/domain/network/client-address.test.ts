import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddressKey, readCidr } from './client-address.ts'

const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::/48'].map((text) => {
  const cidr = readCidr(text)
  assert.ok(cidr)
  return cidr
})

test('without a trusted proxy the client address is the socket’s, and X-Forwarded-For is ignored', () => {
  for (const forwarded of [
    undefined,
    '',
    '198.51.100.1',
    '198.51.100.2, 10.0.0.1',
    'garbage',
    '10.0.0.1',
  ]) {
    assert.equal(clientAddressKey('203.0.113.7', forwarded, []), '203.0.113.7')
    assert.equal(clientAddressKey('203.0.113.7', forwarded, PROXIES), '203.0.113.7')
    assert.equal(clientAddressKey('10.0.0.1', forwarded, []), '10.0.0.1')
  }
})

test('behind a trusted proxy the client address is the first untrusted hop from the right', () => {
  const cases = [
    ['198.51.100.1', '198.51.100.1'],
    [' 198.51.100.1 ', '198.51.100.1'],
    ['198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['198.51.100.1,10.0.0.2,10.0.0.3', '198.51.100.1'],
    ['198.51.100.1, 2001:db8:ffff::9', '198.51.100.1'],
    // The client controls the entries further left.
    ['6.6.6.6, 198.51.100.1', '198.51.100.1'],
    ['10.0.0.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['garbage, 198.51.100.1', '198.51.100.1'],
    // An entry may include a port.
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:db8:1:2::5]:4711', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::5]', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::5', '2001:db8:1:2::/64'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    // A caller inside the trusted network.
    ['10.0.0.7', '10.0.0.7'],
    ['10.0.0.7, 10.0.0.2', '10.0.0.7'],
  ] as const
  for (const [forwarded, addressKey] of cases) {
    assert.equal(clientAddressKey('10.0.0.1', forwarded, PROXIES), addressKey, forwarded)
    assert.equal(clientAddressKey('::ffff:10.0.0.1', forwarded, PROXIES), addressKey, forwarded)
    assert.equal(clientAddressKey('2001:db8:ffff::1', forwarded, PROXIES), addressKey, forwarded)
  }
})

test('with an unreadable X-Forwarded-For the client address is the socket’s', () => {
  const headers = [
    ...[
      undefined,
      '',
      ',',
      'garbage',
      'unknown',
      '198.51.100.1,',
      '198.51.100.1, garbage',
      '198.51.100.1, garbage, 10.0.0.2',
    ],
    ...[
      '198.51.100.1:',
      '198.51.100.1:x',
      '198.51.100.1:999999',
      '[198.51.100.1',
      '[::1]x',
      '"198.51.100.1"',
      'for=198.51.100.1',
    ],
    ...['127.1', '0x7f000001', '198.51.100.01', '198.51.100.1 10.0.0.2', '_hidden'],
  ]
  for (const forwarded of headers) {
    assert.equal(clientAddressKey('10.0.0.1', forwarded, PROXIES), '10.0.0.1', `${forwarded}`)
  }
})

test('all addresses of an IPv6 /64 have one client address key, in any spelling', () => {
  const cases = [
    ['2001:db8:1:2::5', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:0000:0000:0000:0005', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::198.51.100.1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::5', '2001:db8:1:3::/64'],
    ['2001:db8::5', '2001:db8::/64'],
    ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
    ['2001:0:0:1::5', '2001:0:0:1::/64'],
    ['2010:db80:1000:10::5', '2010:db80:1000:10::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['0:0:0:1::', '0:0:0:1::/64'],
    ['::1', '::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
  ] as const
  for (const [socket, addressKey] of cases) {
    assert.equal(clientAddressKey(socket, undefined, []), addressKey, socket)
  }
})

test('peers without a readable address share one client address key', () => {
  for (const socket of ['', 'garbage', '/run/app.sock', '1.2.3']) {
    assert.equal(clientAddressKey(socket, '198.51.100.1', PROXIES), 'unknown')
  }
})
