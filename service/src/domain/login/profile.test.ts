import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProfileFault, readProfile } from './profile.ts'

const ISSUER = 'https://accounts.google.com'

const ada = {
  sub: '1815',
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada Lovelace',
  picture: 'https://example.com/ada.png',
}

function profileOf(fields: Record<string, unknown>) {
  const read = readProfile(ISSUER, { ...ada, ...fields })
  assert.ok(read.ok, `rejected: ${JSON.stringify(read)}`)
  return read.profile
}

function faultOf(fields: Record<string, unknown>): ProfileFault {
  const read = readProfile(ISSUER, { ...ada, ...fields })
  assert.ok(!read.ok, `accepted: ${JSON.stringify(fields)}`)
  return read.fault
}

test('a complete profile is kept unchanged', () => {
  assert.deepEqual(profileOf({}), {
    issuer: ISSUER,
    subject: '1815',
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    picture: 'https://example.com/ada.png',
  })
})

test('a subject may be any text that can be stored unchanged, of any length', () => {
  for (const sub of ['0', ' ', 'ünï', '😀', 'x'.repeat(300)]) {
    assert.equal(profileOf({ sub }).subject, sub)
  }
  for (const sub of [undefined, null, 1815, {}, '', 'a\0b', '\ud800']) {
    assert.equal(faultOf({ sub }), 'subject_invalid', JSON.stringify(sub))
  }
})

test('an email is verified only if email_verified is the boolean true', () => {
  for (const email_verified of [undefined, null, false, 'true', 'false', 1, []]) {
    assert.equal(faultOf({ email_verified }), 'email_unverified', JSON.stringify(email_verified))
  }
})

test('a user without an email cannot sign in', () => {
  for (const email of [undefined, null, '', 7, ['ada@example.com']]) {
    assert.equal(faultOf({ email }), 'email_missing', JSON.stringify(email))
  }
})

test('an email that another program could read as a different address is rejected', () => {
  const invalid = [
    'ada',
    '@example.com',
    'ada@',
    'ada@example.com@evil.example',
    'ada@evil.example\uff20example.com', // fullwidth commercial at
    'ada\uff20example.com',
    'ada@evil.example\ufe6bexample.com', // small commercial at
    'ada @example.com',
    ' ada@example.com',
    'ada@example.com\n',
    'ada@example.com\u00a0',
    'ada@exam\u2028ple.com',
    'ada@example.com\0',
    'ada\u202e@example.com',
    'ada\u200b@example.com',
    '\ud800da@example.com',
    `${'a'.repeat(243)}@example.com`,
  ]
  for (const email of invalid) {
    assert.equal(faultOf({ email }), 'email_invalid', JSON.stringify(email))
  }
})

test('an email is kept unchanged, up to 254 characters', () => {
  for (const email of [
    'Ada.Lovelace+1@Example.COM',
    'ädä@exämple.com',
    `${'a'.repeat(242)}@example.com`,
  ]) {
    assert.equal(profileOf({ email }).email, email)
  }
})

test('a name is trimmed and loses control and bidirectional characters', () => {
  const cases: [unknown, string | null][] = [
    ['  Ada Lovelace \n', 'Ada Lovelace'],
    ['Ada\r\nLovelace', 'Ada Lovelace'],
    ['Ada\u0007 Love\u0000lace', 'Ada Lovelace'],
    ['Ada \u202eecalevoL\u202c', 'Ada ecalevoL'],
    ['\u2066Ada\u2069', 'Ada'],
    ['می\u200cخواهم', 'می\u200cخواهم'], // a joiner that Persian needs
    ['<b>Ada</b>', '<b>Ada</b>'], // escaping is the page's work
    ['\ud800Ada', '\ufffdAda'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), null],
    ['\u202e \n', null],
    ['', null],
    [undefined, null],
    [{ given: 'Ada' }, null],
  ]
  for (const [name, kept] of cases) {
    assert.equal(profileOf({ name }).name, kept, JSON.stringify(name))
  }
})

test('a picture is an https URL, or loopback http, of at most 512 characters', () => {
  const cases: [unknown, string | null][] = [
    ['https://example.com/a.png?s=96', 'https://example.com/a.png?s=96'],
    [
      'http://localhost:8787/dev/google/people/ada.svg',
      'http://localhost:8787/dev/google/people/ada.svg',
    ],
    ['http://127.0.0.1/a.svg', 'http://127.0.0.1/a.svg'],
    ['http://[::1]:80/a.svg', 'http://[::1]/a.svg'],
    ['https://example.com/\u0000"><script>', 'https://example.com/%00%22%3E%3Cscript%3E'],
    ['http://example.com/a.png', null],
    ['http://localhost.evil.example/a.png', null],
    ['http://localhost@evil.example/a.png', null],
    ['javascript:alert(1)', null],
    ['ftp://localhost/a.png', null],
    [['https://example.com/a.png'], null],
    ['data:image/svg+xml,<svg/>', null],
    ['//example.com/a.png', null],
    [`https://example.com/${'a'.repeat(492)}`, `https://example.com/${'a'.repeat(492)}`],
    [`https://example.com/${'a'.repeat(493)}`, null],
    [`https://example.com/${'é'.repeat(300)}`, null],
    ['', null],
    [undefined, null],
    [7, null],
  ]
  for (const [picture, kept] of cases) {
    assert.equal(profileOf({ picture }).picture, kept, JSON.stringify(picture))
  }
})
