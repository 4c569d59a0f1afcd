import type { Kysely } from 'kysely'
import type { Engine } from '../profiles.ts'
import { home } from './0001-home.ts'
import { socialLogin } from './0002-social-login.ts'
import { notices } from './0003-notices.ts'
import { ownership } from './0004-ownership.ts'
import { accounts } from './0005-accounts.ts'
import { records } from './0006-records.ts'
import { dayTallies } from './0007-day-tallies.ts'
import { credentials } from './0008-credentials.ts'
import { oauth } from './0009-oauth.ts'
import { refresh } from './0010-refresh.ts'
import { sessionsInOrder } from './0011-sessions-in-order.ts'
import { refreshTogether } from './0012-refresh-together.ts'

/** A migration sees no row types: the tables of its day are not those of today. */
export interface SchemaStep {
  readonly name: string
  up(db: Kysely<unknown>, engine: Engine): Promise<void>
}

/**
 * Every database gets all of them, in this order; the home tables of one that is only attached stay empty. A step that
 * was ever released never changes, and later ones only add, because an older instance may still be running.
 */
export const MIGRATIONS: readonly SchemaStep[] = [
  { name: '0001-home', up: home },
  { name: '0002-social-login', up: socialLogin },
  { name: '0003-notices', up: notices },
  { name: '0004-ownership', up: ownership },
  { name: '0005-accounts', up: accounts },
  { name: '0006-records', up: records },
  { name: '0007-day-tallies', up: dayTallies },
  { name: '0008-credentials', up: credentials },
  { name: '0009-oauth', up: oauth },
  { name: '0010-refresh', up: refresh },
  { name: '0011-sessions-in-order', up: sessionsInOrder },
  { name: '0012-refresh-together', up: refreshTogether },
]
