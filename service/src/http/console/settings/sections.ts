import * as contract from '@gatehouse/contract'
import type { z } from 'zod'
import { readCallbackList } from '../../../domain/callbacks/url.ts'
import type { Admission } from '../../../domain/login/profile.ts'
import type { Resource } from '../../../domain/stores/stores.ts'
import { PROJECT_NAME_MAX_CHARACTERS } from '../../../domain/tenants/tenant.ts'
import { changeSettings, findSettings, provisionSocialLogin } from '../../../operations/social-login/provision.ts'
import { renameProject } from '../../../operations/tenants/status.ts'
import { readSettingsChange } from '../../control/social-login.ts'
import { html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { readSocialLoginConfiguration } from '../../views.ts'
import { consoleForm, type FormPost, formElement, type PageCall } from '../console-page.ts'
import { box, choice, lines, number, text } from '../form-state.ts'
import { accountPaths, below } from '../paths.ts'
import { settingsSection } from './settings-page.ts'

const nameForm = consoleForm({
  path: below(accountPaths.settings, 'name'),
  button: 'Save name',
  fields: {
    name: text({
      label: 'Name of the project',
      hint: `Only you see it. At most ${PROJECT_NAME_MAX_CHARACTERS} characters. Without a name, the project is called by its brand, its host or its id.`,
    }),
  },
  run: ({ ctx, tenant, author }, { name }) => renameProject(ctx, tenant, name, author),
  done: { renamed: 'Name saved.' },
})

/** What the owner calls the project. */
export const nameSection = settingsSection({
  id: 'project-name',
  title: 'Name',
  forms: [nameForm],
  load: async ({ project }) => ({ name: project.ownName }),
  view: (frame, values) => formElement(nameForm, frame, { values }),
})

const callbacksForm = consoleForm({
  path: accountPaths.callbacks,
  button: 'Save callback URLs',
  fields: {
    callback_urls: lines({
      label: 'One URL per line',
      hint: html`Up to ${contract.CALLBACK_URLS_MAX}. <code>http://localhost</code> without a port allows every port; <code>https://*.example.com/callback</code> allows every subdomain.`,
      required: true,
    }),
  },
  run: ({ ctx, tenant, author }, urls) => provisionSocialLogin(ctx, tenant, readSocialLoginConfiguration(urls), author),
  done: { callbacks: 'Callback URLs saved.' },
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

const tokensForm = consoleForm({
  path: accountPaths.tokens,
  button: 'Save tokens',
  fields: {
    callback_mode: choice({
      legend: 'How your app gets tokens after a login',
      choices: [
        { value: 'either', label: 'In the callback URL, or for a code if the login started with one' },
        {
          value: 'code',
          label: html`For a code only: every login must start with a <code>code_challenge</code>, so no token is in a URL`,
        },
      ],
    }),
    refresh_leeway_seconds: number({
      label: 'Refresh leeway in seconds',
      hint: `How long the previous refresh token returns the same pair. 0: it works once. At most ${contract.REFRESH_LEEWAY_MAX_SECONDS}.`,
      max: contract.REFRESH_LEEWAY_MAX_SECONDS,
    }),
  },
  body: contract.changeSettings.body,
  run: saveSettings,
  done: { tokens: 'Saved.' },
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

const consentForm = consoleForm({
  path: below(accountPaths.signInPages, 'consent'),
  button: 'Save consent',
  fields: {
    remember_consent: box(
      html`Ask users once, and skip the question in the same browser for 30 days. <a href="/docs/settings#remembered-consent">When it’s asked again</a>`,
    ),
  },
  body: contract.changeSettings.body,
  run: saveSettings,
  done: { consent: 'Saved.' },
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

const accessForm = consoleForm({
  path: accountPaths.access,
  button: 'Save who can sign in',
  limits: { maxBytes: ACCESS_MAX_BYTES },
  fields: {
    admission: choice({
      legend: 'New users',
      choices: [
        { value: 'open', label: 'Open: anyone, or only the accounts in the lists if there are any' },
        { value: 'invited', label: 'Closed: people with an invitation, and the accounts in the lists' },
      ],
    }),
    allowed_domains: lines({
      label: 'Google Workspace domains, one per line',
      hint: `Accounts that the organization manages: an address at the domain is not enough. Up to ${contract.ALLOWED_DOMAINS_MAX}.`,
    }),
    allowed_emails: lines({
      label: 'E-mail addresses, one per line',
      hint: `These people can sign in besides the domains above. Up to ${contract.ALLOWED_EMAILS_MAX}.`,
    }),
  },
  body: contract.changeSettings.body,
  run: saveSettings,
  done: { access: 'Saved. It applies from the next sign-in on; sessions stay.' },
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
