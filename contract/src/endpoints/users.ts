import * as z from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import { SAMPLE_LISTED_USER } from '../examples.ts'
import {
  REMOVAL_DAYS,
  REMOVALS_PAGE_DEFAULT,
  REMOVALS_PAGE_MAX,
  USER_SEARCH_MIN_CHARACTERS,
  USER_SESSIONS_PAGE_DEFAULT,
  USER_SESSIONS_PAGE_MAX,
  USERS_PAGE_MAX,
} from '../limits.ts'
import { Claims } from '../schemas/claims.ts'
import { Cursor, wholeNumber } from '../schemas/query.ts'
import { UserDetails, UserMetadata } from '../schemas/user.ts'
import { USER_INCLUDES, type UserInclude } from '../wire.ts'
import { defineEndpoint, MANAGEMENT_ERRORS } from './define-endpoint.ts'

export const USER_ERRORS = [...MANAGEMENT_ERRORS, 'notProvisioned', 'userNotFound'] as const

export const UserIdParams = z.object({ id: z.string() })

const Include = z
  .string()
  .transform((names) => names.split(','))
  .pipe(z.array(z.enum(USER_INCLUDES, `Send names of: ${USER_INCLUDES.join(', ')}.`)))
  .transform((names): readonly UserInclude[] => names)
  .describe(`Further fields of each user, separated by commas: ${USER_INCLUDES.join(', ')}.`)

const Flag = z.enum(['true', 'false']).transform((flag) => flag === 'true')

/** Email addresses and names have at most 254 characters. */
const SEARCH_MAX_CHARACTERS = 254

const UserListQuery = z
  .strictObject({
    after: Cursor.optional().describe('The id of a user: only later ones are listed.'),
    limit: wholeNumber(1, USERS_PAGE_MAX).optional().describe('Default: all users; 100 with `q`.'),
    email: z
      .string()
      .min(1)
      .max(SEARCH_MAX_CHARACTERS)
      .optional()
      .describe(
        'Only users with this email address, in upper or lower case. Several users can have the same one.',
      ),
    q: z
      .string()
      .min(USER_SEARCH_MIN_CHARACTERS)
      .max(SEARCH_MAX_CHARACTERS)
      .optional()
      .describe(
        'Only users whose email address or name starts with this text, in upper or lower case.',
      ),
    blocked: Flag.optional().describe('Only users that are blocked, or that are not.'),
    count: Flag.optional().describe(
      '`true`: the `X-Total-Count` header has the number of all users that match.',
    ),
    include: Include.optional(),
  })
  .check(({ value: { email, q }, issues }) => {
    if (email === undefined || q === undefined) {
      return
    }
    issues.push({
      code: 'custom',
      path: ['q'],
      message: 'Send email or q, and not both.',
      input: q,
    })
  })

export const listUsers = defineEndpoint({
  id: 'listUsers',
  method: 'GET',
  path: '/api/social-login/users',
  auth: 'management',
  summary:
    'List all users by ascending id, or search them. Use `limit` and `after` for pages; the `Link` header names the next page.',
  tag: 'Users and events',
  query: UserListQuery,
  ok: {
    status: 200,
    body: z.strictObject({ users: z.array(UserDetails) }),
    headers: ['NextPage', 'TotalCount'],
  },
  errors: [...MANAGEMENT_ERRORS, 'notProvisioned'],
  example: { query: { limit: 100 }, response: { users: [SAMPLE_LISTED_USER] } },
})

export const getUser = defineEndpoint({
  id: 'getUser',
  method: 'GET',
  path: '/api/social-login/users/:id',
  auth: 'management',
  summary: 'Read one user by id.',
  tag: 'Users and events',
  params: UserIdParams,
  query: z.strictObject({ include: Include.optional() }),
  ok: { status: 200, body: z.strictObject({ user: UserDetails }) },
  errors: USER_ERRORS,
  example: { params: { id: '1' }, response: { user: SAMPLE_LISTED_USER } },
})

export const blockUser = defineEndpoint({
  id: 'blockUser',
  method: 'POST',
  path: '/api/social-login/users/:id/block',
  auth: 'management',
  summary: 'Block a user: ends all their sessions, and rejects new sign-ins. Idempotent.',
  tag: 'Users and events',
  params: UserIdParams,
  body: z.strictObject({}).optional(),
  ok: { status: 200, body: z.strictObject({ user: UserDetails }) },
  errors: [...USER_ERRORS, 'tenantSuspended', ...BODY_ERRORS],
  example: {
    params: { id: '1' },
    body: {},
    response: { user: { ...SAMPLE_LISTED_USER, blocked: true } },
  },
})

export const unblockUser = defineEndpoint({
  id: 'unblockUser',
  method: 'POST',
  path: '/api/social-login/users/:id/unblock',
  auth: 'management',
  summary: 'Let a blocked user sign in again. Idempotent.',
  tag: 'Users and events',
  params: UserIdParams,
  body: z.strictObject({}).optional(),
  ok: { status: 200, body: z.strictObject({ user: UserDetails }) },
  errors: [...USER_ERRORS, 'tenantSuspended', ...BODY_ERRORS],
  example: {
    params: { id: '1' },
    body: {},
    response: { user: { ...SAMPLE_LISTED_USER, blocked: false } },
  },
})

export const readUserMetadata = defineEndpoint({
  id: 'readUserMetadata',
  method: 'GET',
  path: '/api/social-login/users/:id/metadata',
  auth: 'management',
  summary: 'Read your own fields of a user. The `ETag` header identifies this version.',
  tag: 'Users and events',
  params: UserIdParams,
  ok: { status: 200, body: z.strictObject({ metadata: UserMetadata }), headers: ['ETag'] },
  errors: USER_ERRORS,
  example: { params: { id: '1' }, response: { metadata: { plan: 'pro' } } },
})

export const replaceUserMetadata = defineEndpoint({
  id: 'replaceUserMetadata',
  method: 'PUT',
  path: '/api/social-login/users/:id/metadata',
  auth: 'management',
  summary:
    'Replace all your own fields of a user. With `If-Match`, only if no other request has changed them.',
  tag: 'Users and events',
  params: UserIdParams,
  requestHeaders: { 'If-Match': 'The `ETag` of the metadata that you read. Absent: replaces any.' },
  body: z.strictObject({ metadata: UserMetadata }),
  ok: { status: 200, body: z.strictObject({ metadata: UserMetadata }), headers: ['ETag'] },
  errors: [...USER_ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'metadataChanged'],
  example: {
    params: { id: '1' },
    body: { metadata: { plan: 'pro' } },
    response: { metadata: { plan: 'pro' } },
  },
})

export const replaceUserClaims = defineEndpoint({
  id: 'replaceUserClaims',
  method: 'PUT',
  path: '/api/social-login/users/:id/claims',
  auth: 'management',
  summary:
    'Replace the claims of a user, such as a role. They are in the next ID token; `?include=claims` reads them. Neither access tokens nor verify contain them.',
  tag: 'Users and events',
  params: UserIdParams,
  body: z.strictObject({
    claims: Claims,
    end_sessions: z
      .boolean()
      .optional()
      .default(false)
      .describe('true: also ends all sessions of the user, in the same transaction.'),
  }),
  ok: { status: 200, body: z.strictObject({ claims: Claims }) },
  errors: [...USER_ERRORS, 'tenantSuspended', ...BODY_ERRORS],
  example: {
    params: { id: '1' },
    body: { claims: { role: 'admin', plan: 'pro' }, end_sessions: false },
    response: { claims: { role: 'admin', plan: 'pro' } },
  },
})

export const deleteUserClaims = defineEndpoint({
  id: 'deleteUserClaims',
  method: 'DELETE',
  path: '/api/social-login/users/:id/claims',
  auth: 'management',
  summary: 'Remove all claims of a user. Idempotent.',
  tag: 'Users and events',
  params: UserIdParams,
  query: z.strictObject({
    end_sessions: Flag.optional().describe(
      '`true`: also ends all sessions of the user, in the same transaction.',
    ),
  }),
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  errors: [...USER_ERRORS, 'tenantSuspended'],
  example: { params: { id: '1' }, response: { success: true } },
})

export const deleteUser = defineEndpoint({
  id: 'deleteUser',
  method: 'DELETE',
  path: '/api/social-login/users/:id',
  auth: 'management',
  summary:
    'Permanently delete a user and their sessions. Their events stay without user id, email and `return_to`.',
  tag: 'Users and events',
  params: UserIdParams,
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  errors: [...USER_ERRORS, 'tenantSuspended'],
  example: { params: { id: '1' }, response: { success: true } },
})

/** In documentation order. */
export const USER_ENDPOINTS = [
  listUsers,
  getUser,
  blockUser,
  unblockUser,
  replaceUserMetadata,
  readUserMetadata,
  replaceUserClaims,
  deleteUserClaims,
  deleteUser,
] as const

export const UserSession = z
  .strictObject({
    id: z.int(),
    created_at: z.iso.datetime().describe('When the user signed in.'),
    last_refreshed_at: z.iso.datetime().describe('The last refresh, or the sign-in.'),
    expires_at: z.iso.datetime().describe('When it ends without another refresh.'),
  })
  .meta({ id: 'UserSession', description: 'A session that can still be refreshed.' })

export const listUserSessions = defineEndpoint({
  id: 'listUserSessions',
  method: 'GET',
  path: '/api/social-login/users/:id/sessions',
  auth: 'management',
  summary: 'List the sessions of a user by ascending id.',
  tag: 'Users and events',
  params: UserIdParams,
  query: z.strictObject({
    after: Cursor.optional()
      .default(0)
      .describe('The id of a session: only later ones are listed.'),
    limit: wholeNumber(1, USER_SESSIONS_PAGE_MAX).optional().default(USER_SESSIONS_PAGE_DEFAULT),
  }),
  ok: {
    status: 200,
    body: z.strictObject({ sessions: z.array(UserSession) }),
    headers: ['NextPage'],
  },
  errors: USER_ERRORS,
  example: {
    params: { id: '1' },
    response: {
      sessions: [
        {
          id: 1,
          created_at: '2026-11-15T12:01:00.000Z',
          last_refreshed_at: '2026-11-15T12:31:00.000Z',
          expires_at: '2026-12-15T12:31:00.000Z',
        },
      ],
    },
  },
})

export const endUserSessions = defineEndpoint({
  id: 'endUserSessions',
  method: 'DELETE',
  path: '/api/social-login/users/:id/sessions',
  auth: 'management',
  summary: 'End all sessions of a user. Their access tokens are invalid within two seconds.',
  tag: 'Users and events',
  params: UserIdParams,
  ok: {
    status: 200,
    body: z.strictObject({
      success: z.literal(true),
      ended: z.int().describe('The number of sessions.'),
    }),
  },
  errors: [...USER_ERRORS, 'tenantSuspended'],
  example: { params: { id: '1' }, response: { success: true, ended: 1 } },
})

export const endUserSession = defineEndpoint({
  id: 'endUserSession',
  method: 'DELETE',
  path: '/api/social-login/sessions/:sid',
  auth: 'management',
  summary: 'End one session. Its access token is invalid within two seconds.',
  tag: 'Users and events',
  params: z.object({ sid: z.string() }),
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  errors: [...MANAGEMENT_ERRORS, 'tenantSuspended', 'notProvisioned', 'sessionNotFound'],
  example: { params: { sid: '1' }, response: { success: true } },
})

/** In documentation order. */
export const USER_SESSION_ENDPOINTS = [listUserSessions, endUserSessions, endUserSession] as const

export const RemovalRequest = z
  .strictObject({
    user_id: z.int(),
    email: z.string(),
    requested_at: z.iso.datetime(),
    due_at: z.iso.datetime().describe('When the user is deleted, unless you delete them before.'),
  })
  .meta({ id: 'RemovalRequest', description: 'A user who asked that their data is removed.' })

export const listRemovals = defineEndpoint({
  id: 'listRemovals',
  method: 'GET',
  path: '/api/social-login/removals',
  auth: 'management',
  summary: `List the users who asked that their data is removed, by ascending user id. Remove what your app stores about them, then delete them: \`DELETE /api/social-login/users/:id\`. After ${REMOVAL_DAYS} days the service does.`,
  tag: 'Users and events',
  query: z.strictObject({
    after: Cursor.optional().default(0).describe('The id of a user: only later ones are listed.'),
    limit: wholeNumber(1, REMOVALS_PAGE_MAX).optional().default(REMOVALS_PAGE_DEFAULT),
  }),
  ok: {
    status: 200,
    body: z.strictObject({ removals: z.array(RemovalRequest) }),
    headers: ['NextPage'],
  },
  errors: [...MANAGEMENT_ERRORS, 'notProvisioned'],
  example: {
    query: { after: 0, limit: 100 },
    response: {
      removals: [
        {
          user_id: 1,
          email: 'ada@example.com',
          requested_at: '2026-11-15T12:00:00.000Z',
          due_at: '2026-12-15T12:00:00.000Z',
        },
      ],
    },
  },
})

/** In documentation order. */
export const REMOVAL_ENDPOINTS = [listRemovals] as const
