import * as z from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import { SAMPLE_LISTED_USER } from '../examples.ts'
import { UserDetails } from '../schemas/user.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { USER_ERRORS, UserIdParams } from './users.ts'

const IdentityParams = UserIdParams.extend({
  provider: z.string().describe('The name of the provider.'),
})

const IdentityQuery = z.strictObject({
  subject: z
    .string()
    .optional()
    .describe('Which one, if the user has several identities at this provider.'),
})

const WithIdentities = z.strictObject({ user: UserDetails })

const CHANGE_ERRORS = [
  ...USER_ERRORS,
  'tenantSuspended',
  'identityNotFound',
  'onlyIdentity',
] as const

const GOOGLE = {
  provider: 'google',
  issuer: 'https://accounts.google.com',
  subject: '110248495921238986420',
  email: SAMPLE_LISTED_USER.email,
  pinned: false,
} as const

const GITHUB = {
  provider: 'github',
  issuer: 'https://github.com',
  subject: '583231',
  email: 'ada@engine.example.com',
  pinned: false,
} as const

export const pinUserIdentity = defineEndpoint({
  id: 'pinUserIdentity',
  method: 'PATCH',
  path: '/api/social-login/users/:id/identities/:provider',
  auth: 'management',
  summary:
    'Pin an identity of a user who has several: email address, name and picture of the user are then those of this identity, and not of the one that signed in last.',
  tag: 'Users and events',
  params: IdentityParams,
  query: IdentityQuery,
  body: z.strictObject({
    pinned: z.boolean().describe('At most one identity of a user is pinned.'),
  }),
  ok: { status: 200, body: WithIdentities },
  errors: [...CHANGE_ERRORS, ...BODY_ERRORS],
  example: {
    params: { id: '1', provider: 'google' },
    body: { pinned: true },
    response: {
      user: { ...SAMPLE_LISTED_USER, identities: [{ ...GOOGLE, pinned: true }, GITHUB] },
    },
  },
})

export const removeUserIdentity = defineEndpoint({
  id: 'removeUserIdentity',
  method: 'DELETE',
  path: '/api/social-login/users/:id/identities/:provider',
  auth: 'management',
  summary:
    'Remove an identity of a user who has several, and end all their sessions. A later sign-in with it creates another user, so a blocked user keeps all of them.',
  tag: 'Users and events',
  params: IdentityParams,
  query: IdentityQuery,
  ok: { status: 200, body: WithIdentities },
  errors: [...CHANGE_ERRORS, 'userBlocked'],
  example: {
    params: { id: '1', provider: 'github' },
    response: { user: { ...SAMPLE_LISTED_USER, identities: [GOOGLE] } },
  },
})

export const mergeUsers = defineEndpoint({
  id: 'mergeUsers',
  method: 'POST',
  path: '/api/social-login/users/:id/merge',
  auth: 'management',
  summary:
    'Move all identities of another user to this one, end the sessions of the other and delete it, in one transaction. Check that both are the same person: an email address is no proof.',
  tag: 'Users and events',
  params: UserIdParams,
  body: z.strictObject({
    from: z.int().describe('The id of the user that is deleted. Its metadata and claims go, too.'),
  }),
  ok: { status: 200, body: WithIdentities },
  errors: [...USER_ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'mergeRefused'],
  example: {
    params: { id: '1' },
    body: { from: 2 },
    response: { user: { ...SAMPLE_LISTED_USER, identities: [GOOGLE, GITHUB] } },
  },
})

/** In documentation order. */
export const IDENTITY_ENDPOINTS = [mergeUsers, pinUserIdentity, removeUserIdentity] as const
