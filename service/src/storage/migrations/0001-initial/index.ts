import type { Kysely } from 'kysely'
import type { Engine } from '../../engine.ts'
import { accounts, me, oauth } from './accounts.ts'
import { events, logins, socialLogin } from './social-login.ts'
import { brand, moderation, providers, tenants, usage } from './tenants.ts'
import { lineage, moved, revocations, webhooks } from './webhooks.ts'

/** The schema of the first release: every table and index. `storage/postgres/functions.ts` has PostgreSQL's functions. */
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
  if (engine === 'postgres') await moved(db)
}
