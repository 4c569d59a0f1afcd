import {
  changeSettings as changeSettingsEndpoint,
  type InputOf,
  readSettings as readSettingsEndpoint,
} from '@gatehouse/contract'
import type { Resource, ResourceSettings } from '../../domain/stores/stores.ts'
import { changeSettings, readSettings } from '../../operations/social-login/provision.ts'
import { keyAuthor } from '../callers/author.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'

export function settingsRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, readSettingsEndpoint, async (_input, _c, tenant) =>
    settingsView(await readSettings(ctx, tenant)),
  )

  mountForManagementKey(app, deps, changeSettingsEndpoint, async ({ body }, c, tenant, key) => {
    const change = { settings: readSettingsChange(body), names: Object.keys(body) }
    return settingsView(await changeSettings(ctx, tenant, change, keyAuthor(c, key)))
  })
}

type Change = InputOf<typeof changeSettingsEndpoint>['body']

/** Shared with the owner's page of settings. */
export const readSettingsChange = (body: Change): ResourceSettings => ({
  ...(body.refresh_leeway_seconds === undefined ? {} : { refreshLeewaySeconds: body.refresh_leeway_seconds }),
  ...(body.callback_mode === undefined ? {} : { callbackMode: body.callback_mode }),
  ...(body.remember_consent === undefined ? {} : { rememberConsent: body.remember_consent }),
  ...(body.allowed_domains === undefined ? {} : { allowedDomains: [...new Set(body.allowed_domains)] }),
  ...(body.allowed_emails === undefined ? {} : { allowedEmails: [...new Set(body.allowed_emails)] }),
})

const settingsView = (resource: Resource) => ({
  refresh_leeway_seconds: resource.refreshLeewaySeconds,
  callback_mode: resource.callbackMode,
  remember_consent: resource.rememberConsent,
  allowed_domains: [...resource.allowedDomains],
  allowed_emails: [...resource.allowedEmails],
})
