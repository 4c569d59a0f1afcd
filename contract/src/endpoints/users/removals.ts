import * as z from 'zod'
import { REMOVAL_DAYS, REMOVALS_PAGE_DEFAULT, REMOVALS_PAGE_MAX } from '../../limits.ts'
import { Cursor, wholeNumber } from '../../schemas/query.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { MANAGEMENT_ERRORS } from '../management-errors.ts'

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
  ok: { status: 200, body: z.strictObject({ removals: z.array(RemovalRequest) }) },
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
