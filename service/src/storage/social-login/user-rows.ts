import type { Selectable } from 'kysely'
import type { SeenUser, User, UserRecord } from '../../domain/sessions/user.ts'
import type { Tables } from '../tables/tables.ts'
import { LAST_SEEN } from './last-seen.ts'

export const USER_COLUMNS = ['id', 'email', 'name', 'picture', 'first_seen'] as const
/** What is shown of a user. */
export const SEEN_COLUMNS = [...USER_COLUMNS, LAST_SEEN.as('last_seen')] as const
export const RECORD_COLUMNS = [...SEEN_COLUMNS, 'issuer', 'subject', 'blocked_at', 'metadata'] as const

type UserRow = Selectable<Tables['users']>
type SeenRow = Pick<UserRow, (typeof USER_COLUMNS)[number] | 'last_seen'>
type RecordRow = SeenRow & Pick<UserRow, 'issuer' | 'subject' | 'blocked_at' | 'metadata'>

export const userFrom = (row: Pick<UserRow, (typeof USER_COLUMNS)[number]>): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  picture: row.picture,
  firstSeen: row.first_seen,
})

export const seenFrom = (row: SeenRow): SeenUser => ({ ...userFrom(row), lastSeen: row.last_seen })

export const recordFrom = (row: RecordRow): UserRecord => ({
  ...seenFrom(row),
  issuer: row.issuer,
  subject: row.subject,
  blockedAt: row.blocked_at,
  metadata: row.metadata,
})
