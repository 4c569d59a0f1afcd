import * as z from 'zod'

/** Every action that the audit records. */
export const AUDIT_ACTIONS = [
  'claim.requested',
  'tenant.claimed',
  'tenant.keys_replaced',
  'tenant.renamed',
  'tenant.suspended',
  'tenant.lifted',
  'tenant.sessions_ended',
  'tenant.deleted',
  'social_login.provisioned',
  'social_login.removed',
  'settings.changed',
  'provider.changed',
  'provider.removed',
  'provider.tested',
  'session.ended',
  'user.blocked',
  'user.unblocked',
  'user.deleted',
  'user.sessions_ended',
  'user.metadata_changed',
  'user.claims_changed',
  'user.identity_added',
  'user.identity_removed',
  'user.identity_pinned',
  'user.merged',
  'user.removal_requested',
  'user.removal_withdrawn',
  'user.consent_forgotten',
  'invitation.created',
  'invitation.deleted',
  'users.exported',
  'users.imported',
  'brand.changed',
  'brand.deleted',
  'brand.logo_changed',
  'brand.logo_deleted',
  'domain.added',
  'domain.verified',
  'domain.lapsed',
  'domain.deleted',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.replayed',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const AuditEntry = z
  .strictObject({
    id: z.int().describe('Ascends in the order of the actions.'),
    at_ms: z.int().describe('Milliseconds since 1970.'),
    actor: z
      .string()
      .describe(
        '`key:` and 8 characters that identify a management key, `account:` and the owner’s id, `grant:` and the id of an agent’s grant, `person` (a user of the app) or `operator`.',
      ),
    action: z.enum(AUDIT_ACTIONS),
    target: z
      .string()
      .nullable()
      .describe(
        'What was changed, such as `user:7` or the names of settings; the reason that the operator gave.',
      ),
    request_id: z.string().describe('The `X-Request-Id` of the response.'),
  })
  .meta({
    id: 'AuditEntry',
    description: 'One management action. It says that a setting was changed, not to what.',
  })
