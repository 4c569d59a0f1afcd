import * as endpoints from '@gatehouse-auth/contract'
import { type Invitation, invitationStatus } from '../../domain/login/invitation.ts'
import type { Instant } from '../../domain/time.ts'
import {
  createInvitation,
  deleteInvitation,
  listInvitations,
} from '../../operations/login/invitations.ts'
import { listRefusals } from '../../operations/login/refusals.ts'
import { keyAuthor } from '../callers/author.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { iso } from '../event-views.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { refusalView } from '../views.ts'

export function invitationRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.createInvitation, async ({ body }, c, tenant, key) => {
    const { expires_in: expiresInSeconds, ...wanted } = body ?? {}
    const created = await createInvitation(
      ctx,
      tenant,
      { ...wanted, expiresInSeconds },
      keyAuthor(c, key),
    )
    return { invitation: { ...invitationView(created.invitation, ctx.now()), url: created.url } }
  })

  mountForManagementKey(app, deps, endpoints.listInvitations, async (_input, _c, tenant) => ({
    invitations: (await listInvitations(ctx, tenant)).map((invitation) =>
      invitationView(invitation, ctx.now()),
    ),
  }))

  mountForManagementKey(
    app,
    deps,
    endpoints.deleteInvitation,
    async ({ params }, c, tenant, key) => {
      await deleteInvitation(ctx, tenant, params.invitationId, keyAuthor(c, key))
      return { success: true } as const
    },
  )
}

const invitationView = (invitation: Invitation, now: Instant) => ({
  id: invitation.id,
  email: invitation.email,
  claims: invitation.claims,
  uses: invitation.uses,
  used: invitation.used,
  status: invitationStatus(invitation, now),
  created_at: iso(invitation.createdAt),
  expires_at: iso(invitation.expiresAt),
})

export function refusalRoutes(app: App, deps: HttpDependencies): void {
  mountForManagementKey(app, deps, endpoints.listRefusals, async (_input, _c, tenant) => ({
    refusals: (await listRefusals(deps.ctx, tenant)).map(refusalView),
  }))
}
