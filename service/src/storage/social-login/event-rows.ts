import type { Selectable } from 'kysely'
import type { AuthEvent } from '../../domain/events/auth-event.ts'
import type { Tables } from '../tables.ts'

export const EVENT_COLUMNS = [
  'id',
  'event',
  'user_id',
  'email',
  'redirect_uri',
  'return_to',
  'metadata',
  'created_at',
] as const

export type EventRow = Pick<Selectable<Tables['events']>, (typeof EVENT_COLUMNS)[number]>

export const eventFrom = (row: EventRow): AuthEvent => ({
  id: row.id,
  event: row.event,
  userId: row.user_id,
  email: row.email,
  redirectUri: row.redirect_uri,
  returnTo: row.return_to,
  metadata: JSON.parse(row.metadata) as Record<string, string>,
  createdAt: row.created_at,
})
