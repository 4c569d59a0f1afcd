import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/support/generated.ts'
import { mintTenantKey, readTenantKey, TENANT_KEY_KINDS } from './tenant-keys.ts'

const BASE62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

const key = fc
  .tuple(fc.constantFrom(...TENANT_KEY_KINDS), fc.infiniteStream(fc.integer({ min: 0, max: 255 })))
  .map(([kind, bytes]) => {
    const random = (count: number): Uint8Array =>
      Uint8Array.from({ length: count }, () => bytes.next().value ?? 0)
    return { kind, key: mintTenantKey(kind, random) }
  })

test('every minted tenant key is recognized with its kind, for any random bytes', () => {
  fc.assert(
    fc.property(key, (minted) => assert.deepEqual(readTenantKey(minted.key), minted)),
    { numRuns: 100 },
  )
})

test('a tenant key with a mistyped, swapped, missing or added character, or changed case, fails its checksum', () => {
  const typed = fc.record({ at: fc.nat(), as: fc.constantFrom(...BASE62) })
  fc.assert(
    fc.property(key, typed, ({ key: minted }, { at, as }) => {
      const index = at % minted.length
      const [one = '', next = ''] = minted.slice(index, index + 2)
      for (const wrong of [
        minted.slice(0, index) + as + minted.slice(index + 1),
        minted.slice(0, index) + next + one + minted.slice(index + 2),
        minted.slice(0, index) + minted.slice(index + 1),
        minted.slice(0, index) + as + minted.slice(index),
        minted.toLowerCase(),
        minted.toUpperCase(),
        ` ${minted}`,
        `${minted}\n`,
      ]) {
        if (wrong !== minted) {
          assert.equal(readTenantKey(wrong), null, wrong)
        }
      }
    }),
    { numRuns: 200 },
  )
})

test('no other text is a tenant key, and none makes the parser throw', () => {
  const nearly = fc
    .tuple(
      fc.constantFrom('svc_man_', 'svc_app_', 'svc_MAN_', 'svc_rt_'),
      fc.string({ minLength: 40, maxLength: 44 }),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(fc.string(), nearly), (text) => assert.equal(readTenantKey(text), null)),
    { numRuns: 500 },
  )
})
