import * as contract from '@gatehouse/contract'
import type { z } from 'zod'
import { readCallbackList } from '../../../domain/callbacks/url.ts'
import type { Admission } from '../../../domain/login/profile.ts'
import type { Resource } from '../../../domain/stores/stores.ts'
import { changeSettings, findSettings, provisionSocialLogin } from '../../../operations/social-login/provision.ts'
import { renameProject } from '../../../operations/tenants/status.ts'
import { readSettingsChange } from '../../control/social-login.ts'
import { html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { readSocialLoginConfiguration } from '../../views.ts'
import { consoleForm, type FormPost, formElement, type PageCall } from '../console-page.ts'
import { settingsSection } from './settings-page.ts'

const nameForm = consoleForm('settings/name', {
  run: ({ ctx, tenant, author }, { name }) => renameProject(ctx, tenant, String(name), author),
})

/** What the owner calls the project. */
export const nameSection = settingsSection({
  id: 'project-name',
  title: 'Name',
  forms: [nameForm],
  load: async ({ project }) => ({ name: project.ownName }),
  view: (frame, values) => formElement(nameForm, frame, { values }),
})

const callbacksForm = consoleForm('callbacks', {
  body: contract.provisionSocialLogin.body,
  run: ({ ctx, tenant, author }, urls) => provisionSocialLogin(ctx, tenant, readSocialLoginConfiguration(urls), author),
})

/** A sentence with a URL of 2,048 characters. */
const WARNING_MAX = 2_500

/** Where users of the app may return to after a login. */
export const callbacksSection = settingsSection({
  id: 'callback-urls',
  title: 'Callback URLs',
  forms: [callbacksForm],
  async load({ ctx, tenant }) {
    const urls = (await findSettings(ctx, tenant))?.callbackUrls ?? []
    const read = readCallbackList(urls)
    // About wildcards that let strangers receive tokens.
    return { urls, warnings: read.ok ? read.warnings : [] }
  },
  view: (frame, { urls, warnings }) => html`
    <p>After signing in, users return to one of these URLs in your app. A login that asks for any other URL is rejected.</p>
    ${warnings.map((warning) => html`<p class="notice caution">${displayText(warning, WARNING_MAX)}</p>`)}
    ${formElement(callbacksForm, frame, { values: { callback_urls: urls } })}`,
})

export function saveSettings(
  { ctx, tenant, author }: FormPost,
  body: z.output<typeof contract.changeSettings.body>,
): Promise<unknown> {
  return changeSettings(ctx, tenant, { settings: readSettingsChange(body), names: Object.keys(body) }, author)
}

/** null: no callback is registered yet. */
const loadSettings = ({ ctx, tenant }: PageCall) => findSettings(ctx, tenant)

const tokensForm = consoleForm('tokens', {
  body: contract.changeSettings.body,
  run: saveSettings,
})

/** How the app gets its tokens and renews them. */
export const tokensSection = settingsSection({
  id: 'logins',
  title: 'Tokens of your app',
  forms: [tokensForm],
  load: loadSettings,
  view: (frame, { callbackMode, refreshLeewaySeconds }: Pick<Resource, 'callbackMode' | 'refreshLeewaySeconds'>) =>
    formElement(tokensForm, frame, {
      values: { callback_mode: callbackMode, refresh_leeway_seconds: refreshLeewaySeconds },
    }),
})

const consentForm = consoleForm('signInPages/consent', {
  body: contract.changeSettings.body,
  run: saveSettings,
})

/** How often users are asked. */
export const consentSection = settingsSection({
  id: 'consent-question',
  title: 'Consent',
  forms: [consentForm],
  load: loadSettings,
  view: (frame, { rememberConsent }: { readonly rememberConsent: boolean }) =>
    formElement(consentForm, frame, { values: { remember_consent: rememberConsent } }),
})

/** Fits 500 addresses of 254 characters, each of which may be three in a form. */
const ACCESS_MAX_BYTES = 512 * 1_024

const accessForm = consoleForm('access', {
  limits: { maxBytes: ACCESS_MAX_BYTES },
  body: contract.changeSettings.body,
  run: saveSettings,
})

/** Who may sign in to the app. */
export const accessSection = settingsSection({
  id: 'admission',
  title: 'Who can sign in',
  forms: [accessForm],
  load: loadSettings,
  view: (frame, access: Admission) => html`
    <p>${whoCanSignIn(access)} In an open project, everyone else is turned away as soon as you fill in either list.</p>
    ${formElement(accessForm, frame, {
      values: {
        admission: access.admission,
        allowed_domains: access.allowedDomains,
        allowed_emails: access.allowedEmails,
      },
    })}`,
})

function whoCanSignIn({ admission, allowedDomains, allowedEmails }: Admission): string {
  if (admission === 'invited') return 'Existing users, the accounts below and people with an invitation can sign in.'
  return allowedDomains.length + allowedEmails.length > 0
    ? 'Only the accounts below can sign in.'
    : 'Anyone with an account at a provider can sign in.'
}
