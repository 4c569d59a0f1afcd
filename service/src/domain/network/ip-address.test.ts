import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import { isWithin, readCidr, readIpAddress } from './ip-address.ts'

test('all spellings of one IP address are equal', () => {
  const same = [
    [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '::FFFF:cb00:7107',
      '0:0:0:0:0:ffff:203.0.113.7',
      '::ffff:203.0.113.7%eth0',
    ],
    ['::1', '0:0:0:0:0:0:0:1', '0000:0000::0001', '0::0:0:1', '::0.0.0.1', '::1%lo'],
    ['::', '0:0:0:0:0:0:0:0', '0::', '::0', '::0.0.0.0'],
    [
      '2001:db8::1',
      '2001:DB8:0:0:0:0:0:1',
      '2001:0db8::0001',
      '2001:db8:0:0::1',
      '2001:db8::0.0.0.1',
    ],
    ['1:2:3:4:5:6:7:0', '1:2:3:4:5:6:7::'],
    ['0:2:3:4:5:6:7:8', '::2:3:4:5:6:7:8'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['fe80::1', 'fe80::1%eth0', 'fe80::1%1', 'fe80::1%en-0.1'],
  ]
  for (const [first = '', ...others] of same) {
    assert.notEqual(readIpAddress(first), null, first)
    for (const other of others) {
      assert.deepEqual(readIpAddress(other), readIpAddress(first), other)
    }
  }
})

test('different IP addresses are not equal, and IPv4-compatible is not IPv4-mapped', () => {
  assert.notDeepEqual(readIpAddress('::203.0.113.7'), readIpAddress('203.0.113.7'))
  assert.notDeepEqual(readIpAddress('::1'), readIpAddress('0.0.0.1'))
  assert.notDeepEqual(readIpAddress('1::ffff:203.0.113.7'), readIpAddress('203.0.113.7'))
})

test('text that is not an IP address is rejected', () => {
  const wrong = [
    ...[
      '',
      ' ',
      'unknown',
      'localhost',
      '1',
      '1.2.3',
      '1.2.3.4.5',
      '1.2.3.256',
      '1.2.3.04',
      '01.2.3.4',
      '0x7f.0.0.1',
    ],
    ...[
      '1.2.3.4 ',
      ' 1.2.3.4',
      '1.2.3.4:80',
      '1.2.3.-4',
      '1..3.4',
      '1.2.3.',
      '.1.2.3',
      '127.1',
      '2130706433',
      '1e1.0.0.0',
    ],
    ...['1.2.3.4%eth0', '\uff11.2.3.4', '1,2,3,4'],
    ...[
      ':',
      ':::',
      '1:',
      ':1',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
      '::1::',
      '1:2:3:4:5:6:7:8::',
      '::1:2:3:4:5:6:7:8',
    ],
    ...[
      '1:2:3:4::5:6:7:8',
      '12345::',
      'g::',
      '::0x1',
      '::-1',
      '::1 ',
      '[::1]',
      '::1.2.3',
      '::1.2.3.4.5',
      '::1.2.3.256',
    ],
    ...[
      '1.2.3.4::',
      '::1.2.3.4:5',
      '1:2:3:4:5:6:7:1.2.3.4',
      '::01.2.3.4',
      '::1%',
      '::1%a%b',
      '::1%a b',
      '::1%25/',
      'fe80::1%\n',
    ],
  ]
  for (const text of wrong) {
    assert.equal(readIpAddress(text), null, JSON.stringify(text))
  }
})

test('the IP address parser accepts the same texts as node:net', () => {
  const pieces = ['0', '1', 'ffff', 'DB8', '::', ':', ':', ':', '.', '1.2.3.4', '255', '256', '00']
  let state = 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
  let addresses = 0
  for (let round = 0; round < 50_000; round++) {
    const text = Array.from(
      { length: 1 + (next() % 12) },
      () => pieces[next() % pieces.length],
    ).join('')
    const read = readIpAddress(text)
    assert.equal(read !== null, isIP(text) !== 0, text)
    if (read !== null) {
      addresses++
    }
  }
  assert.ok(addresses > 500, `only ${addresses} were addresses, so little was shown`)
})

test('an address is within a CIDR block if it shares the prefix', () => {
  const cases: readonly (readonly [address: string, block: string, within: boolean])[] = [
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.0.0.0', '10.0.0.0/8', false],
    ['10.1.2.3', '10.9.9.9/8', true],
    ['192.168.1.127', '192.168.1.0/25', true],
    ['192.168.1.128', '192.168.1.0/25', false],
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.8', '203.0.113.7', false],
    ['203.0.113.7', '203.0.113.7/32', true],
    ['203.0.113.7', '0.0.0.0/0', true],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['10.1.2.3', '::ffff:10.0.0.0/104', true],
    ['11.1.2.3', '::ffff:10.0.0.0/104', false],
    ['2001:db8:1::1', '2001:db8::/32', true],
    ['2001:db9::1', '2001:db8::/32', false],
    ['::1', '::1', true],
    ['::2', '::1/128', false],
    ['::2', '::/0', true],
    ['10.1.2.3', '::/0', false],
    ['::a01:203', '10.0.0.0/8', false],
  ]
  for (const [address, block, within] of cases) {
    const [ip, cidr] = [readIpAddress(address), readCidr(block)]
    assert.ok(ip !== null && cidr !== null, `${address} ${block}`)
    assert.equal(isWithin(ip, cidr), within, `${address} in ${block}`)
  }
})

test('text that is not a CIDR block is rejected', () => {
  const wrong = [
    ...[
      '',
      '/8',
      '10.0.0.0/',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/08',
      '10.0.0.0/8/8',
      '10.0.0.0/8 ',
      '10.0.0.0/a',
      '10/8',
    ],
    ...[
      '::/129',
      '::/1e1',
      'fe80::%eth0/10',
      '::ffff:10.0.0.0/95',
      '::ffff:10.0.0.0/129',
      'all',
      '*',
    ],
  ]
  for (const text of wrong) {
    assert.equal(readCidr(text), null, JSON.stringify(text))
  }
})
