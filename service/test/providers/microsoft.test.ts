import assert from 'node:assert/strict'
import { test } from 'node:test'
import { microsoft } from '../../src/identity/providers/microsoft.ts'
import { CLIENT, openIdResponses, returned, scriptedFetch, summary } from './scripted-fetch.ts'

const DIRECTORY = '11111111-2222-3333-4444-555555555555'
const PERSONAL_ACCOUNTS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const host = 'https://login.microsoftonline.com'
const issuerOf = (directory: string): string => `${host}/${directory}/v2.0`
const ada = {
  oid: 'ada-oid',
  sub: 'pairwise',
  tid: DIRECTORY,
  email: 'ada@contoso.example',
  name: 'Ada Lovelace',
}

function signIn(claims: Readonly<Record<string, unknown>>, directory = 'common') {
  const named = directory === 'common' ? issuerOf('{tenantid}') : issuerOf(directory)
  const responses = openIdResponses(issuerOf(directory), {
    named,
    claims: { iss: issuerOf(DIRECTORY), ...claims },
  })
  const { fetch } = scriptedFetch(responses)
  return microsoft({ ...CLIENT, directory, fetch }).signIn(returned('microsoft'))
}

test("a user is the oid in the user's own directory, which the common issuer is a template for", async () => {
  const result = await signIn({ ...ada, xms_edov: true })
  assert.deepEqual(result, {
    outcome: 'identified',
    profile: {
      issuer: issuerOf(DIRECTORY),
      subject: 'ada-oid',
      email: 'ada@contoso.example',
      name: 'Ada Lovelace',
      picture: null,
    },
    hostedDomain: null,
  })
  assert.equal(
    summary(await signIn({ ...ada, xms_edov: true }, DIRECTORY)),
    `${issuerOf(DIRECTORY)} ada-oid ada@contoso.example`,
  )
})

// proves S079
test('an ID token of another directory than its issuer is refused', async () => {
  assert.equal(
    summary(await signIn({ ...ada, xms_edov: true, tid: 'other' })),
    'token_exchange: invalid_id_token',
  )
  assert.equal(
    summary(await signIn({ ...ada, xms_edov: true, iss: 'https://evil.example/v2.0' })),
    'token_exchange: invalid_id_token',
  )
})

// proves S077
test('an email address that an administrator could have set freely is not accepted', async () => {
  const unverified: Readonly<Record<string, unknown>>[] = [
    {},
    { xms_edov: false },
    { xms_edov: '0' },
    { xms_edov: 'false' },
    { email_verified: true },
    { tid: PERSONAL_ACCOUNTS },
    { verified_primary_email: ['other@contoso.example'] },
    { verified_primary_email: 'not-ada@contoso.example' },
  ]
  for (const claims of unverified) {
    const result = summary(await signIn({ ...ada, ...claims }, DIRECTORY))
    assert.equal(result, 'userinfo: email_unverified', JSON.stringify(claims))
  }
  const { email: _, ...withoutEmail } = ada
  assert.equal(
    summary(await signIn({ ...withoutEmail, xms_edov: true, verified_primary_email: [] })),
    'userinfo: email_missing',
  )
  const { oid: __, ...withoutOid } = ada
  assert.equal(
    summary(await signIn({ ...withoutOid, xms_edov: true })),
    'userinfo: subject_invalid',
  )
})

test('an email address is accepted if Microsoft says that it is verified, in any of its forms', async () => {
  const verified: Readonly<Record<string, unknown>>[] = [
    { xms_edov: true },
    { xms_edov: 1 },
    { xms_edov: '1' },
    { xms_edov: 'true' },
    { verified_primary_email: [ada.email] },
    { verified_secondary_email: ['x@y.example', ada.email] },
    { tid: PERSONAL_ACCOUNTS, iss: issuerOf(PERSONAL_ACCOUNTS) },
  ]
  for (const claims of verified) {
    assert.equal((await signIn({ ...ada, ...claims })).outcome, 'identified')
  }
})
