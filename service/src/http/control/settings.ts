import { changeSettings as changeSettingsEndpoint, readSettings as readSettingsEndpoint } from '@gatehouse/contract'
import type { Resource, ResourceSettings } from '../../domain/stores/stores.ts'
import { changeSettings } from '../../operations/social-login/change-settings.ts'
import { readSettings } from '../../operations/social-login/read-settings.ts'
import { keyAuthor } from '../callers/author.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'

export function settingsRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, readSettingsEndpoint, async (_input, _c, tenant) =>
    settingsView(await readSettings(ctx, tenant)),
  )

  mountForManagementKey(app, deps, changeSettingsEndpoint, async ({ body }, c, tenant, key) => {
    const { refresh_leeway_seconds: refreshLeewaySeconds } = body
    const settings: ResourceSettings = {
      ...(refreshLeewaySeconds === undefined ? {} : { refreshLeewaySeconds }),
    }
    const change = { settings, names: Object.keys(body) }
    return settingsView(await changeSettings(ctx, tenant, change, keyAuthor(c, key)))
  })
}

const settingsView = ({ refreshLeewaySeconds }: Resource) => ({ refresh_leeway_seconds: refreshLeewaySeconds })
