import * as z from 'zod'
import { AUDIT_PAGE_DEFAULT, AUDIT_PAGE_MAX } from '../limits.ts'
import { AuditEntry } from '../schemas/audit.ts'
import { Cursor, wholeNumber } from '../schemas/query.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { MANAGEMENT_ERRORS } from './management-errors.ts'

export const listAudit = defineEndpoint({
  id: 'listAudit',
  method: 'GET',
  path: '/api/audit',
  auth: 'management',
  summary:
    'List the management actions on this tenant by ascending id: who did what, and when. Kept for 90 days, the newest 10,000.',
  tag: 'Tenants',
  query: z.strictObject({
    after: Cursor.optional().default(0).describe('The id of an action: only newer ones are listed.'),
    limit: wholeNumber(1, AUDIT_PAGE_MAX).optional().default(AUDIT_PAGE_DEFAULT),
  }),
  ok: { status: 200, body: z.strictObject({ actions: z.array(AuditEntry) }) },
  errors: MANAGEMENT_ERRORS,
  example: {
    query: { after: 0, limit: 50 },
    response: {
      actions: [
        {
          id: 1,
          at_ms: 1_794_744_000_000,
          actor: 'key:1f0c9a2b',
          action: 'social_login.provisioned',
          target: null,
          request_id: 'req_EXAMPLE',
        },
      ],
    },
  },
})

/** In documentation order. */
export const AUDIT_ENDPOINTS = [listAudit] as const
