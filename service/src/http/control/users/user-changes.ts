import {
  blockUser as blockUserEndpoint,
  deleteUser as deleteUserEndpoint,
  unblockUser as unblockUserEndpoint,
} from '@gatehouse/contract'
import { blockUser, unblockUser } from '../../../operations/users/block-user.ts'
import { deleteUser } from '../../../operations/users/delete-user.ts'
import { keyAuthor } from '../../callers/author.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { mountForManagementKey } from '../../mount-endpoint.ts'
import { userDetailsView } from '../../views.ts'
import { numberIn } from './path-number.ts'

export function userChangeRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, blockUserEndpoint, async ({ params }, c, tenant, key) => {
    const user = await blockUser(ctx, tenant, numberIn(params.id), keyAuthor(c, key))
    return { user: userDetailsView(user, ['blocked']) }
  })

  mountForManagementKey(app, deps, unblockUserEndpoint, async ({ params }, c, tenant, key) => {
    const user = await unblockUser(ctx, tenant, numberIn(params.id), keyAuthor(c, key))
    return { user: userDetailsView(user, ['blocked']) }
  })

  mountForManagementKey(app, deps, deleteUserEndpoint, async ({ params }, c, tenant, key) => {
    await deleteUser(ctx, tenant, numberIn(params.id), keyAuthor(c, key))
    return { success: true } as const
  })
}
