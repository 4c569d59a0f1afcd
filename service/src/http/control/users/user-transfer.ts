import {
  exportUsers as exportUsersEndpoint,
  type ImportResult,
  importUsers as importUsersEndpoint,
} from '@gatehouse/contract'
import { importUsers, requireImport } from '../../../operations/users/import-users.ts'
import { exportUsers } from '../../../operations/users/users.ts'
import { keyAuthor } from '../../callers/author.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { mountForManagementKey } from '../../mount-endpoint.ts'
import { rejectCompression } from '../../request/body.ts'
import { exportedUsers } from './exported-users.ts'
import { readImportLines } from './import-lines.ts'

export function userTransferRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, exportUsersEndpoint, async ({ query }, c, tenant, key) => {
    return exportedUsers(c, await exportUsers(ctx, tenant, keyAuthor(c, key)), query.format)
  })

  mountForManagementKey(app, deps, importUsersEndpoint, async (_input, c, tenant, key) => {
    rejectCompression(c)
    await requireImport(ctx, tenant)
    const lines = await readImportLines(c, importUsersEndpoint.bodyMaxBytes)
    const results = await importUsers(ctx, tenant, lines, keyAuthor(c, key))
    const countOf = (result: ImportResult['result']): number => results.filter((each) => each.result === result).length
    const [created, existing] = [countOf('created'), countOf('exists')]
    return { created, existing, failed: results.length - created - existing, results }
  })
}
