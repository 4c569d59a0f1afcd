import * as z from 'zod'
import { NEW_OWNED_TENANT } from '../examples.ts'
import { IdempotencyKey } from '../tools.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { NewTenant } from './tenants.ts'

/** For the local MCP server, which writes the credentials to a file, so that they never appear in a conversation. */
export const bootstrapTenant = defineEndpoint({
  id: 'bootstrapTenant',
  method: 'POST',
  path: '/api/mcp/bootstrap',
  auth: 'oauth',
  summary:
    'Create a tenant that the signed-in account owns and that does not expire. Repeating an `idempotency_key` returns the same tenant and keys, with status 200.',
  tag: 'Tenants',
  body: z.strictObject({
    confirmed: z.literal(
      true,
      'Send true, and only when the user explicitly authorized this creation.',
    ),
    idempotency_key: IdempotencyKey,
  }),
  ok: {
    status: 201,
    body: NewTenant,
    alsoStatus: {
      status: 200,
      description: 'The key was used before: the same tenant and the same credentials.',
    },
  },
  errors: [
    'missingCredentials',
    'invalidAccessToken',
    'insufficientScope',
    'accountRequired',
    'projectLimit',
    'tenantExpired',
    'invalidRequest',
    'rateLimited',
    'unsupportedMediaType',
    'bodyTooLarge',
    'temporarilyUnavailable',
    'outcomeUnknown',
  ],
  example: {
    body: { confirmed: true, idempotency_key: 'notes-app-2026' },
    response: NEW_OWNED_TENANT,
  },
})

/** In documentation order. */
export const BOOTSTRAP_ENDPOINTS = [bootstrapTenant] as const
