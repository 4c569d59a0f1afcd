import * as z from 'zod'
import { USER_SESSIONS_PAGE_DEFAULT, USER_SESSIONS_PAGE_MAX } from '../../limits.ts'
import { Cursor, wholeNumber } from '../../schemas/query.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { MANAGEMENT_ERRORS } from '../management-errors.ts'
import { USER_ERRORS, UserIdParams } from './users.ts'

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
    after: Cursor.optional().default(0).describe('The id of a session: only later ones are listed.'),
    limit: wholeNumber(1, USER_SESSIONS_PAGE_MAX).optional().default(USER_SESSIONS_PAGE_DEFAULT),
  }),
  ok: { status: 200, body: z.strictObject({ sessions: z.array(UserSession) }) },
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
    body: z.strictObject({ success: z.literal(true), ended: z.int().describe('The number of sessions.') }),
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
