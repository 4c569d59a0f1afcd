import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Admission, admits, hostedDomainHint } from './profile.ts'

const user = (email: string, hostedDomain: string | null = null) => ({
  profile: {
    issuer: 'https://accounts.google.com',
    subject: '1',
    email,
    name: null,
    picture: null,
  },
  hostedDomain,
})
const lists = (
  allowedDomains: string[],
  allowedEmails: string[] = [],
  admission: Admission['admission'] = 'open',
): Admission => ({ admission, allowedDomains, allowedEmails })

test('a domain admits the accounts of that Workspace, not addresses at that domain', () => {
  assert.equal(admits(lists(['example.com']), user('ada@example.com', 'example.com')), true)
  assert.equal(admits(lists(['example.com']), user('ada@example.com', 'Example.COM')), true)
  assert.equal(admits(lists(['example.com']), user('ada@example.com')), false)
  assert.equal(admits(lists(['example.com']), user('ada@example.com', 'sub.example.com')), false)
  assert.equal(admits(lists(['example.com']), user('ada@example.com', '')), false)
})

test('an address admits exactly that address, in any case, from any Workspace', () => {
  const only = lists(['other.com'], ['ada@example.com'])
  assert.equal(admits(only, user('ADA@example.com')), true)
  assert.equal(admits(only, user('ada@example.com', 'example.com')), true)
  assert.equal(admits(only, user('ada+1@example.com')), false)
  assert.equal(admits(only, user('grace@other.com', 'other.com')), true)
  assert.equal(admits(lists([], ['ada@example.com']), user('ada@example.com')), true)
  assert.equal(
    admits(lists([], ['ada@example.com']), user('grace@example.com', 'example.com')),
    false,
  )
})

test('only ASCII letters are compared in any case: the Kelvin sign is not the letter k', () => {
  const only = lists(['kiosk.example'], ['mark@example.com'])
  assert.equal(admits(only, user('MARK@example.com')), true)
  assert.equal(admits(only, user('mar\u212a@example.com')), false)
  assert.equal(admits(only, user('ada@kiosk.example', 'KIOSK.example')), true)
  assert.equal(admits(only, user('ada@kiosk.example', '\u212aiosk.example')), false)
})

test('the hint names the only domain, any Workspace, or nothing when addresses are allowed too', () => {
  assert.equal(hostedDomainHint(lists([])), null)
  assert.equal(hostedDomainHint(lists(['example.com'])), 'example.com')
  assert.equal(hostedDomainHint(lists(['example.com', 'other.com'])), '*')
  assert.equal(hostedDomainHint(lists(['example.com'], ['ada@gmail.com'])), null)
})
