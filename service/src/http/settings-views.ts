import type { changeSettings, IdTokenSettings, InputOf } from '@gatehouse-auth/contract'
import { defined } from '../domain/defined.ts'
import type { Resource, ResourceSettings } from '../domain/stores/stores.ts'

// The settings of a project on the wire, for the API and for the forms of the console, whose fields have the same names.

type Change = InputOf<typeof changeSettings>['body']

export const readSettingsChange = (body: Change): ResourceSettings =>
  defined({
    refreshLeewaySeconds: body.refresh_leeway_seconds,
    callbackMode: body.callback_mode,
    rememberConsent: body.remember_consent,
    firstUserClaims: body.first_user_claims,
    admission: body.admission,
    idTokens: body.id_tokens && readIdTokens(body.id_tokens),
    allowedDomains: body.allowed_domains && [...new Set(body.allowed_domains)],
    allowedEmails: body.allowed_emails && [...new Set(body.allowed_emails)],
  })

const readIdTokens = ({ audiences, claims = {} }: IdTokenSettings) => ({
  audiences: [...new Set(audiences)],
  claims,
})

export const settingsView = (resource: Resource) => ({
  refresh_leeway_seconds: resource.refreshLeewaySeconds,
  callback_mode: resource.callbackMode,
  remember_consent: resource.rememberConsent,
  allowed_domains: [...resource.allowedDomains],
  allowed_emails: [...resource.allowedEmails],
  first_user_claims: resource.firstUserClaims,
  admission: resource.admission,
  id_tokens: resource.idTokens,
})
