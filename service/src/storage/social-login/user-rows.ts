import type { Selectable } from 'kysely'
import type { User, UserRecord } from '../../domain/sessions/user.ts'
import type { Tables } from '../tables/tables.ts'

export const USER_COLUMNS = ['id', 'email', 'name', 'picture', 'first_seen', 'last_seen'] as const
export const RECORD_COLUMNS = [...USER_COLUMNS, 'issuer', 'subject', 'blocked_at', 'metadata'] as const

type UserRow = Selectable<Tables['users']>

export const userFrom = (row: Pick<UserRow, (typeof USER_COLUMNS)[number]>): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  picture: row.picture,
  firstSeen: row.first_seen,
  lastSeen: row.last_seen,
})

export const recordFrom = (row: Pick<UserRow, (typeof RECORD_COLUMNS)[number]>): UserRecord => ({
  ...userFrom(row),
  issuer: row.issuer,
  subject: row.subject,
  blockedAt: row.blocked_at,
  metadata: row.metadata,
})
