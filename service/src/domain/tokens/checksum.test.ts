import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 as reference } from 'node:zlib'
import { checksum, crc32 } from '../tenants/tenant-keys.ts'

test('the checksum is CRC-32 as in zlib', () => {
  assert.equal(crc32('123456789'), 0xcbf43926)
  for (const text of [
    '',
    'a',
    'svc_man_',
    'The quick brown fox jumps over the lazy dog',
    'z'.repeat(1_000),
  ]) {
    assert.equal(crc32(text), reference(text), text)
  }
})

test('a checksum has six characters, also if it is a small number', () => {
  assert.equal(checksum(''), '000000')
  assert.match(checksum('svc_man_'), /^[0-9A-Za-z]{6}$/)
})
