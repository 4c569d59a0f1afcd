import * as z from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import { SAMPLE } from '../examples.ts'
import {
  INVITATION_DEFAULT_SECONDS,
  INVITATION_MAX_SECONDS,
  INVITATION_USES_MAX,
} from '../limits.ts'
import { Claims } from '../schemas/claims.ts'
import { defineEndpoint, MANAGEMENT_ERRORS } from './define-endpoint.ts'
import { loginUrl } from './sessions.ts'
import { FoldedEmail } from './settings.ts'

export const Invitation = z
  .strictObject({
    id: z.string(),
    url: z
      .string()
      .optional()
      .describe(
        'The login link of this invitation, shown only when it is created. Anyone who has it can use it: send it to the person yourself, no mail is sent.',
      ),
    email: z
      .string()
      .nullable()
      .describe('Only this verified address can use it; null: anyone who has the link.'),
    claims: Claims.describe('They become the claims of each user that it creates.'),
    uses: z.int().describe('How many users it can create.'),
    used: z.int().describe('How many it has created.'),
    status: z.enum(['open', 'used', 'expired']),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({
    id: 'Invitation',
    description: 'A login link with which people become users, also of a closed project.',
  })

const SAMPLE_INVITATION = {
  id: SAMPLE.invitationId,
  email: 'ada@example.com',
  claims: { role: 'editor' },
  uses: 1,
  used: 0,
  status: 'open',
  created_at: '2026-11-15T12:05:00.000Z',
  expires_at: '2026-11-22T12:05:00.000Z',
} as const

/** The login link with an invitation. */
export const invitationUrl = (baseUrl: string, tenantId: string, secret: string): string =>
  `${loginUrl(baseUrl, tenantId)}?invitation=${secret}`

export const createInvitation = defineEndpoint({
  id: 'createInvitation',
  method: 'POST',
  path: '/api/social-login/invitations',
  auth: 'management',
  summary:
    'Create an invitation. Its link is shown only once, and no mail is sent: pass it on yourself.',
  tag: 'Social login',
  body: z
    .strictObject({
      email: FoldedEmail.optional().describe('Only this verified address can use it, in any case.'),
      claims: Claims.optional().describe('They become the claims of each user that it creates.'),
      expires_in: z
        .int()
        .min(60)
        .max(INVITATION_MAX_SECONDS)
        .optional()
        .describe(`Seconds; default ${INVITATION_DEFAULT_SECONDS}, seven days.`),
      uses: z
        .int()
        .min(1)
        .max(INVITATION_USES_MAX)
        .optional()
        .describe('How many users it can create; default 1. With `email`, it is 1.'),
    })
    .refine(({ email, uses }) => email === undefined || uses === undefined || uses === 1, {
      path: ['uses'],
      message: 'An invitation for one address has one use.',
    })
    .meta({
      id: 'NewInvitation',
      description: 'Whom to invite. Without a body: the first person who has the link.',
    })
    .optional(),
  ok: { status: 201, body: z.strictObject({ invitation: Invitation }) },
  errors: [
    ...MANAGEMENT_ERRORS,
    'tenantSuspended',
    ...BODY_ERRORS,
    'notProvisioned',
    'invitationLimit',
  ],
  example: {
    body: { email: 'ada@example.com', claims: { role: 'editor' } },
    response: {
      invitation: {
        ...SAMPLE_INVITATION,
        url: invitationUrl('{base_url}', SAMPLE.tenantId, SAMPLE.invitation),
      },
    },
  },
})

export const listInvitations = defineEndpoint({
  id: 'listInvitations',
  method: 'GET',
  path: '/api/social-login/invitations',
  auth: 'management',
  summary: 'List the invitations, the newest first. Expired ones are deleted after seven days.',
  tag: 'Social login',
  ok: { status: 200, body: z.strictObject({ invitations: z.array(Invitation) }) },
  errors: MANAGEMENT_ERRORS,
  example: { response: { invitations: [SAMPLE_INVITATION] } },
})

export const deleteInvitation = defineEndpoint({
  id: 'deleteInvitation',
  method: 'DELETE',
  path: '/api/social-login/invitations/:invitationId',
  auth: 'management',
  summary: 'Delete an invitation: its link stops working at once. Users that it created stay.',
  tag: 'Social login',
  params: z.object({ invitationId: z.string() }),
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  errors: [...MANAGEMENT_ERRORS, 'tenantSuspended', 'invitationNotFound'],
  example: { params: { invitationId: SAMPLE.invitationId }, response: { success: true } },
})

/** In documentation order. */
export const INVITATION_ENDPOINTS = [createInvitation, listInvitations, deleteInvitation] as const
