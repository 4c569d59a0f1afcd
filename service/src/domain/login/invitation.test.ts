import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invitationStatus, isInvitationSecret, rejectionOf } from './invitation.ts'

const person = (email: string, hostedDomain: string | null = null) => ({
  profile: {
    issuer: 'https://accounts.google.com',
    subject: '1',
    email,
    name: null,
    picture: null,
  },
  hostedDomain,
})
const ada = person('ada@example.com')
const arrival = { identified: ada, isUser: false, invitation: null }
const forAnyone = { email: null }
const forAda = { email: 'ada@example.com' }
const forGrace = { email: 'grace@example.com' }
const open = { admission: 'open', allowedDomains: [], allowedEmails: [] } as const
const closed = { ...open, admission: 'invited' } as const

for (const [title, admission, change, expected] of [
  ['an open project lets everyone in', open, {}, null],
  [
    'an open project with a list lets in no one else, invited or not',
    { ...open, allowedEmails: ['x@example.com'] },
    { invitation: forAda },
    'not_allowed',
  ],
  [
    'an open project with a list keeps out a user who is not in it',
    { ...open, allowedEmails: ['x@example.com'] },
    { isUser: true },
    'not_allowed',
  ],
  ['a closed project lets in no stranger', closed, {}, 'not_invited'],
  ['a closed project lets in its users', closed, { isUser: true }, null],
  [
    'a closed project lets in its users with the link of someone else',
    closed,
    { isUser: true, invitation: forGrace },
    null,
  ],
  [
    'a closed project lets in a listed address',
    { ...closed, allowedEmails: ['ada@example.com'] },
    {},
    null,
  ],
  [
    'a closed project lets in a listed Workspace',
    { ...closed, allowedDomains: ['example.com'] },
    { identified: person('ada@example.com', 'example.com') },
    null,
  ],
  [
    'a closed project lets in no stranger although it has lists',
    { ...closed, allowedEmails: ['x@example.com'] },
    {},
    'not_invited',
  ],
  ['a closed project lets in an invited person', closed, { invitation: forAnyone }, null],
  ['a closed project lets in the invited address', closed, { invitation: forAda }, null],
  ['a closed project lets in no other address', closed, { invitation: forGrace }, 'not_invited'],
  [
    'an open project creates no user for another address',
    open,
    { invitation: forGrace },
    'not_invited',
  ],
] as const) {
  test(title, () => {
    assert.equal(rejectionOf(admission, { ...arrival, ...change }), expected)
  })
}

// proves S089
test('an address is compared by ASCII letters: the Kelvin sign is not the letter k', () => {
  const invitation = { email: 'mark@example.com' }
  const of = (email: string) =>
    rejectionOf(closed, { identified: person(email), isUser: false, invitation })
  assert.equal(of('MARK@Example.com'), null)
  assert.equal(of('mar\u212a@example.com'), 'not_invited')
  assert.equal(of('mark+1@example.com'), 'not_invited')
})

test('an invitation is open until its time has come, and used up before it is expired', () => {
  const invitation = {
    tenantId: 't',
    id: 'i',
    ...forAnyone,
    claims: {},
    uses: 2,
    used: 1,
    createdAt: 0,
    expiresAt: 100,
  }
  assert.equal(invitationStatus(invitation, 99), 'open')
  assert.equal(invitationStatus(invitation, 100), 'expired')
  assert.equal(invitationStatus({ ...invitation, used: 2 }, 100), 'used')
})

test('other text than a secret of an invitation reaches no query', () => {
  assert.equal(isInvitationSecret(`svc_in_${'a'.repeat(43)}`), true)
  for (const text of [
    '',
    'svc_in_',
    `svc_in_${'a'.repeat(44)}`,
    `svc_ac_${'a'.repeat(43)}`,
    `svc_in_${'ä'.repeat(43)}`,
  ]) {
    assert.equal(isInvitationSecret(text), false, text)
  }
})
