import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifiedDomain } from '../../../test/support/verified-domain.ts'
import { type Brand, brandOn, readBrandUrl } from './brand.ts'

const BRAND: Brand = {
  name: 'Notes',
  privacyUrl: 'https://www.example.com/privacy',
  termsUrl: 'https://other.example.org/terms',
  accent: 'blue',
  logo: null,
}
const CALLBACK = new URL('https://app.example.com/callback')

// proves S073
test('a brand is shown on verified domains only, and with links to verified domains only', () => {
  assert.equal(brandOn(BRAND, [], CALLBACK), null)
  assert.equal(
    brandOn(BRAND, [{ ...verifiedDomain('example.com'), status: 'lapsed' }], CALLBACK),
    null,
  )
  assert.deepEqual(brandOn(BRAND, [verifiedDomain('example.com')], CALLBACK), {
    ...BRAND,
    termsUrl: null,
  })
  const both = [verifiedDomain('example.com'), verifiedDomain('example.org')]
  assert.deepEqual(brandOn(BRAND, both, CALLBACK), BRAND)
})

test('a well-known brand is not shown on another domain of its owner', () => {
  const domains = [verifiedDomain('paypal.com'), verifiedDomain('example.com')]
  assert.equal(brandOn({ ...BRAND, name: 'PayPal' }, domains, CALLBACK), null)
  assert.notEqual(
    brandOn({ ...BRAND, name: 'PayPal' }, domains, new URL('https://www.paypal.com/cb')),
    null,
  )
})

// proves S068
test('a file on one host of a well-known brand does not allow its name', () => {
  const shown = (name: string, host: string): boolean =>
    brandOn({ ...BRAND, name }, [verifiedDomain(host, 'file')], new URL(`https://${host}/cb`)) !==
    null
  assert.equal(shown('PayPal', 'customer.paypal.com'), false)
  assert.equal(shown('Notes', 'customer.paypal.com'), true)
  assert.equal(shown('PayPal', 'paypal.com'), true)
})

// proves S073
test('a link is an https URL on a verified domain', () => {
  const domains = [verifiedDomain('example.com'), verifiedDomain('localhost:3000', 'file')]
  for (const url of [
    'https://example.com/privacy',
    'https://a.example.com/?x#y',
    'http://localhost:3000/privacy',
  ]) {
    assert.deepEqual(readBrandUrl(url, domains), { ok: true, url })
  }
  for (const url of [
    ...[
      'http://example.com/',
      'https://evil.example/',
      'https://user:x@example.com/',
      'javascript:alert(1)',
      '/privacy',
    ],
    ...[
      'data:text/html,x',
      'https://example.com.evil.example/',
      'http://localhost:4000/',
      'ftp://example.com/',
      '',
    ],
  ]) {
    assert.equal(readBrandUrl(url, domains).ok, false, url)
  }
})
