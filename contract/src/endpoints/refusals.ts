import * as z from 'zod'
import { SAMPLE } from '../examples/sample.ts'
import { Refusal } from '../schemas/refusal.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { MANAGEMENT_ERRORS } from './management-errors.ts'

export const listRefusals = defineEndpoint({
  id: 'listRefusals',
  method: 'GET',
  path: '/api/social-login/refusals',
  auth: 'management',
  summary:
    'Why sign-ins did not work: the refused starts and callbacks of the last 24 hours by kind, the newest first, each with its fix. Works while paused.',
  tag: 'Users and events',
  ok: { status: 200, body: z.strictObject({ refusals: z.array(Refusal) }) },
  errors: MANAGEMENT_ERRORS.filter((code) => code !== 'tenantPaused'),
  example: {
    response: {
      refusals: [
        {
          step: 'start',
          code: 'invalidRedirectUri',
          count: 3,
          first_at_ms: 1_794_744_000_000,
          last_at_ms: 1_794_744_060_000,
          sent: 'http://localhost:3001/auth/callback',
          closest: SAMPLE.callbackUrl,
          differs: 'port',
          meaning: '`redirect_uri` matches no registered callback URL.',
          fix: `Send redirect_uri=${SAMPLE.callbackUrl}, or register http://localhost:3001/auth/callback with POST /api/resources/social-login.`,
        },
      ],
    },
  },
})

/** In documentation order. */
export const REFUSAL_ENDPOINTS = [listRefusals] as const
