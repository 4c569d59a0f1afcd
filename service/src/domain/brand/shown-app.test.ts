import assert from 'node:assert/strict'
import { test } from 'node:test'
import { is256Bits } from '../tokens/secret.ts'
import { type Brand, shownAppHash } from './brand.ts'

const BRAND: Brand = {
  name: 'Notes',
  privacyUrl: 'https://example.com/privacy',
  termsUrl: null,
  accent: 'blue',
  logo: { hash: 'ab', size: 64 },
}
const APP = { owner: 7, verified: true, brand: BRAND }

// proves C233
test('the hash of an app changes with its owner, verified domain, name, logo and links, and not with its color', () => {
  const others = [
    { ...APP, owner: 8 },
    { ...APP, owner: null },
    { ...APP, verified: false },
    { ...APP, brand: null },
    ...[
      { name: 'Note' },
      { logo: null },
      { logo: { hash: 'cd', size: 64 } },
      { privacyUrl: null },
      { privacyUrl: null, termsUrl: BRAND.privacyUrl },
      { termsUrl: 'https://example.com/terms' },
    ].map((changes) => ({ ...APP, brand: { ...BRAND, ...changes } })),
  ]
  const hashes = [APP, ...others].map(shownAppHash)
  assert.equal(new Set(hashes).size, hashes.length)
  assert.equal(shownAppHash({ ...APP, brand: { ...BRAND, accent: 'pink' } }), hashes[0])
  assert.ok(hashes.every(is256Bits))
  for (const text of ['', 'x', `${hashes[0]}x`, `${hashes[0]?.slice(1)}\0`]) {
    assert.equal(is256Bits(text), false)
  }
})
