import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeNextPath } from './account.ts'

test('a sign-in may continue to a page of the service, as a browser resolves its path', () => {
  for (const [path, kept] of [
    ['/account', '/account'],
    ['/account?done=x#part', '/account?done=x#part'],
    ['/claim/7', '/claim/7'],
    ['/oauth/consent/abc?scope=a+b', '/oauth/consent/abc?scope=a+b'],
    ['/mcp/tenants/a-b/credentials', '/mcp/tenants/a-b/credentials'],
    ['/account/../claim/7', '/claim/7'],
    ['/account/✓?q=é', '/account/%E2%9C%93?q=%C3%A9'],
    ['/account/\r\nX: 1', '/account/X:%201'],
    ['/account/\u0000x', '/account/%00x'],
    [`/account/${'x'.repeat(1_991)}`, `/account/${'x'.repeat(1_991)}`],
  ] as const) {
    assert.equal(safeNextPath(path), kept)
  }
})

test('a sign-in never continues to another site or path, and the next path is safe in a header', () => {
  for (const path of [
    undefined,
    '',
    'account',
    'https://evil.test/account',
    '//evil.test/account',
    '/\\evil.test/account',
    'https://own.invalid/account',
    '//own.invalid:8443/account',
    `/account/${'x'.repeat(1_992)}`,
    '\t//evil.test',
    '/\t/evil.test',
    '/account/..//evil.test',
    '/account/../../evil',
    '/account/%2e%2e//evil.test',
    'account/projects/a-b',
    'https://own.invalid/account/projects/a-b',
    '//evil.test/account/projects/a-b',
    '//[',
    '/accounts',
    '/edge',
    '/mcp',
    `/account/${'x'.repeat(2_000)}`,
  ]) {
    assert.equal(safeNextPath(path), '/account', String(path))
  }
  assert.match(safeNextPath('/account/\u0080\u2028\ud800\u007f'), /^[\x21-\x7e]+$/)
})
