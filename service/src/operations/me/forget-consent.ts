import type { Author } from '../../domain/audit/action.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Identity } from '../../domain/me/person.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { findOwnUser, unlessGone } from './own-user.ts'

/** The person's next sign-in to the app shows the consent page again, in every browser. */
export async function forgetConsent(ctx: Context, person: Identity, tenantId: TenantId, author: Author): Promise<void> {
  const own = await findOwnUser(ctx, person, tenantId)
  if (own === null) return
  const { tenant, user } = own
  const change = ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    if ((await stores.consents.forget(resource, user.id)) === 0) return
    const target = `user:${user.id}`
    const at = ctx.now()
    await recordAction(stores, { tenantId: tenant.id, author, action: 'user.consent_forgotten', target, at })
  })
  await unlessGone(change)
}
