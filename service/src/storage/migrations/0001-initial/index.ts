import type { Kysely } from 'kysely'
import type { Engine } from '../../engine.ts'
import { accounts } from './accounts.ts'
import { brand } from './brand.ts'
import { events } from './events.ts'
import { lineage } from './lineage.ts'
import { logins } from './logins.ts'
import { me } from './me.ts'
import { moderation } from './moderation.ts'
import { moved } from './moved.ts'
import { oauth } from './oauth.ts'
import { providers } from './providers.ts'
import { refreshOneByOne } from './refresh-one-by-one.ts'
import { refreshTogether } from './refresh-together.ts'
import { revocations } from './revocations.ts'
import { socialLogin } from './social-login.ts'
import { tenants } from './tenants.ts'
import { usage } from './usage.ts'
import { webhooks } from './webhooks.ts'

/** The schema of the first release: every table and index, and on PostgreSQL the functions of a refresh and of a failover. */
export async function initial(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await accounts(db, engine)
  await tenants(db, engine)
  await logins(db, engine)
  await usage(db, engine)
  await socialLogin(db, engine)
  await me(db, engine)
  await events(db, engine)
  await revocations(db, engine)
  await oauth(db, engine)
  await webhooks(db, engine)
  await brand(db, engine)
  await providers(db, engine)
  await moderation(db, engine)
  await lineage(db, engine)
  // SQLite runs inside the process: there are no round trips to save.
  if (engine === 'sqlite') return
  await moved(db)
  await refreshOneByOne(db)
  await refreshTogether(db)
}
