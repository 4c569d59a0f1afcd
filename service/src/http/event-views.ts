import { hash } from 'node:crypto'
import * as wire from '@gatehouse-auth/contract'
import type { AuthEvent } from '../domain/events/auth-event.ts'
import type { SeenUser, UserRecord } from '../domain/users/user.ts'
import type { WebhookTransport } from '../domain/webhooks/delivery.ts'
import type { NameIssuer } from '../operations/providers/providers.ts'

// Users and events on the wire, in responses and in deliveries, without a schema: the service starts with this file.

export const iso = (ms: number): string => new Date(ms).toISOString()
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

export const userView = (user: SeenUser): wire.User => ({
  id: user.id,
  email: user.email,
  name: user.name,
  picture: user.picture,
  first_seen: iso(user.firstSeen),
  last_seen: iso(user.lastSeen),
})

/** With the fields that the request names, and no others. */
export const userDetailsView = (
  user: UserRecord,
  include: readonly wire.UserInclude[],
  providerOf: NameIssuer = () => null,
): wire.UserDetails => ({
  ...userView(user),
  ...(include.includes('metadata') ? { metadata: metadataView(user.metadata) } : {}),
  ...(include.includes('claims') ? { claims: user.claims } : {}),
  ...(include.includes('blocked') ? { blocked: user.blockedAt !== null } : {}),
  ...(include.includes('identities')
    ? {
        identities: user.identities.map(({ issuer, subject, email, pinned }) => ({
          provider: providerOf(issuer),
          issuer,
          subject,
          email,
          pinned,
        })),
      }
    : {}),
})

export const metadataView = (metadata: string | null): Record<string, unknown> =>
  metadata === null ? {} : (JSON.parse(metadata) as Record<string, unknown>)

/** A tag of the content, so that it needs no column. No metadata is an empty object. */
export const metadataEtag = (metadata: string | null): string =>
  `"${hash('sha256', metadata ?? '{}', 'base64url').slice(0, 22)}"`

export const eventView = (event: AuthEvent): wire.AuthEvent => ({
  id: event.id,
  event: event.event,
  user_id: event.userId,
  email: event.email,
  redirect_uri: event.redirectUri,
  return_to: event.returnTo,
  metadata: event.metadata,
  created_at_ms: event.createdAt,
})

/** The bodies of deliveries. An event has the fields that the API returns. */
export const webhookBodies: Pick<WebhookTransport, 'eventBody' | 'userBody' | 'testBody'> = {
  eventBody: (tenantId, event) =>
    JSON.stringify({
      type: wire.webhookType(event.event),
      timestamp: iso(event.createdAt),
      data: { tenant_id: tenantId, ...eventView(event) },
    }),
  userBody: (tenantId, { kind, userId, email, at }, user) =>
    JSON.stringify({
      type: kind,
      timestamp: iso(at),
      data: {
        tenant_id: tenantId,
        user:
          user === null
            ? { id: userId, email }
            : userDetailsView(user.record, wire.USER_INCLUDES, user.providerOf),
        ...(user === null ? {} : { removal_due_at: isoOrNull(user.removalDueAt) }),
      },
    }),
  testBody: (tenantId, now) =>
    JSON.stringify({
      type: 'webhook.test',
      timestamp: new Date(now).toISOString(),
      data: { tenant_id: tenantId },
    }),
}
