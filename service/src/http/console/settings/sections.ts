import {
  ALLOWED_DOMAINS_MAX,
  ALLOWED_EMAILS_MAX,
  CALLBACK_URLS_MAX,
  changeSettings as changeSettingsEndpoint,
  REFRESH_LEEWAY_MAX_SECONDS,
} from '@gatehouse/contract'
import type { z } from 'zod'
import { PROJECT_NAME_MAX_CHARACTERS } from '../../../domain/tenants/tenant.ts'
import { changeSettings, provisionSocialLogin } from '../../../operations/social-login/provision.ts'
import { renameProject } from '../../../operations/tenants/status.ts'
import { readSettingsChange } from '../../control/social-login.ts'
import { boxesField, choiceField, textArea, textField } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { readSocialLoginConfiguration } from '../../views.ts'
import { consoleForm, type FormPost, formElement, formState } from '../console-page.ts'
import { listField, numberField, type RejectedForm } from '../form-state.ts'
import { accountPaths } from '../paths.ts'
import type { Frame } from '../projects/project-page.ts'

const nameForm = consoleForm({
  path: accountPaths.renameProject,
  button: 'Save name',
  id: 'name',
  fields: ['name'],
  run: ({ ctx, tenant, author, form }) => renameProject(ctx, tenant, form.get('name') ?? '', author),
  done: { renamed: 'Name saved.' },
  section: 'name',
})

/** What the owner calls the project. */
export function nameSection(frame: Frame, rejected: RejectedForm | null): Html {
  const form = formState(nameForm, rejected)
  return formElement(
    nameForm,
    frame,
    form,
    textField({
      ...form.field('name', frame.project.ownName ?? ''),
      label: 'Name of the project',
      hint: `Only you see it. At most ${PROJECT_NAME_MAX_CHARACTERS} characters. Without a name, the project is called by its brand, its host or its id.`,
    }),
  )
}

const callbacksForm = consoleForm({
  path: accountPaths.saveCallbacks,
  button: 'Save callback URLs',
  id: 'callbacks',
  fields: ['callback_urls'],
  run({ ctx, tenant, author, form }) {
    const configuration = readSocialLoginConfiguration({ callback_urls: listField(form, 'callback_urls') })
    return provisionSocialLogin(ctx, tenant, configuration, author)
  },
  done: { callbacks: 'Callback URLs saved.' },
  section: 'callbacks',
})

export interface Callbacks {
  readonly urls: readonly string[]
  /** About wildcards that let strangers receive tokens. */
  readonly warnings: readonly string[]
}

/** A sentence with a URL of 2,048 characters. */
const WARNING_MAX = 2_500

/** Where users of the app may return to after a login. */
export function callbacksSection(frame: Frame, { urls, warnings }: Callbacks, rejected: RejectedForm | null): Html {
  const form = formState(callbacksForm, rejected)
  const field = form.field('callback_urls', urls.join('\n'))
  return html`
    <p>After signing in, users return to one of these URLs in your app. A login that asks for any other URL is rejected.</p>
    ${warnings.map((warning) => html`<p class="notice caution">${displayText(warning, WARNING_MAX)}</p>`)}
    ${formElement(
      callbacksForm,
      frame,
      form,
      textArea({
        ...field,
        label: 'One URL per line',
        hint: html`Up to ${CALLBACK_URLS_MAX}. <code>http://localhost</code> without a port allows every port; <code>https://*.example.com/callback</code> allows every subdomain.`,
        rows: Math.min(12, Math.max(3, field.value.split('\n').length + 1)),
        required: true,
      }),
    )}`
}

const loginsForm = consoleForm({
  path: accountPaths.saveLogins,
  button: 'Save logins',
  id: 'logins',
  fields: ['refresh_leeway_seconds'],
  body: changeSettingsEndpoint.body,
  read: (form) => ({
    callback_mode: form.get('callback_mode'),
    remember_consent: form.has('remember_consent'),
    refresh_leeway_seconds: numberField(form.get('refresh_leeway_seconds')),
  }),
  run: saveSettings,
  done: { logins: 'Saved.' },
  section: 'logins',
})

function saveSettings(
  { ctx, tenant, author }: FormPost,
  body: z.output<typeof changeSettingsEndpoint.body>,
): Promise<unknown> {
  return changeSettings(ctx, tenant, { settings: readSettingsChange(body), names: Object.keys(body) }, author)
}

export interface Logins {
  readonly callbackMode: 'either' | 'code'
  readonly refreshLeewaySeconds: number
  readonly rememberConsent: boolean
}

/** How logins run, and how the app gets its tokens. */
export function loginsSection(
  frame: Frame,
  { callbackMode, refreshLeewaySeconds, rememberConsent }: Logins,
  rejected: RejectedForm | null,
): Html {
  const form = formState(loginsForm, rejected)
  return formElement(loginsForm, frame, form, [
    choiceField({
      name: 'callback_mode',
      legend: 'How your app gets tokens after a login',
      chosen: form.value('callback_mode', callbackMode),
      choices: [
        { value: 'either', label: 'In the callback URL, or for a code if the login started with one' },
        {
          value: 'code',
          label: html`For a code only: every login must start with a <code>code_challenge</code>, so no token is in a URL`,
        },
      ],
    }),
    boxesField({
      legend: 'Consent',
      boxes: [
        {
          name: 'remember_consent',
          label: html`Ask users once, and skip the question in the same browser for 30 days. <a href="/docs/settings#remembered-consent">When it’s asked again</a>`,
          checked: form.isChecked('remember_consent', rememberConsent),
        },
      ],
    }),
    textField({
      ...form.field('refresh_leeway_seconds', String(refreshLeewaySeconds)),
      label: 'Refresh leeway in seconds',
      hint: `How long the previous refresh token returns the same pair. 0: it works once. At most ${REFRESH_LEEWAY_MAX_SECONDS}.`,
      type: 'number',
      max: REFRESH_LEEWAY_MAX_SECONDS,
    }),
  ])
}

/** Fits 500 addresses of 254 characters, each of which may be three in a form. */
const ACCESS_MAX_BYTES = 512 * 1_024

const accessForm = consoleForm({
  path: accountPaths.saveAccess,
  button: 'Save who can sign in',
  id: 'access',
  fields: ['allowed_domains', 'allowed_emails'],
  limits: { maxBytes: ACCESS_MAX_BYTES },
  body: changeSettingsEndpoint.body,
  read: (form) => ({
    admission: form.get('admission'),
    allowed_domains: listField(form, 'allowed_domains'),
    allowed_emails: listField(form, 'allowed_emails'),
  }),
  run: saveSettings,
  done: { access: 'Saved. It applies from the next sign-in on; sessions stay.' },
  section: 'access',
})

export interface Access {
  readonly admission: 'open' | 'invited'
  readonly allowedDomains: readonly string[]
  readonly allowedEmails: readonly string[]
}

const rowsFor = (text: string): number => Math.min(12, Math.max(2, text.split('\n').length))

/** Who may sign in to the app. */
export function accessSection(
  frame: Frame,
  { admission, allowedDomains, allowedEmails }: Access,
  rejected: RejectedForm | null,
): Html {
  const form = formState(accessForm, rejected)
  const domains = form.field('allowed_domains', allowedDomains.join('\n'))
  const emails = form.field('allowed_emails', allowedEmails.join('\n'))
  const hasLists = allowedDomains.length + allowedEmails.length > 0
  const now =
    admission === 'invited'
      ? 'Existing users, the accounts below and people with an invitation can sign in.'
      : hasLists
        ? 'Only the accounts below can sign in.'
        : 'Anyone with an account at a provider can sign in.'
  return html`
    <p>${now} In an open project, everyone else is turned away as soon as you fill in either list.</p>
    ${formElement(accessForm, frame, form, [
      choiceField({
        name: 'admission',
        legend: 'New users',
        chosen: form.value('admission', admission),
        choices: [
          { value: 'open', label: 'Open: anyone, or only the accounts in the lists if there are any' },
          { value: 'invited', label: 'Closed: people with an invitation, and the accounts in the lists' },
        ],
      }),
      textArea({
        ...domains,
        label: 'Google Workspace domains, one per line',
        hint: `Accounts that the organization manages: an address at the domain is not enough. Up to ${ALLOWED_DOMAINS_MAX}.`,
        rows: rowsFor(domains.value),
      }),
      textArea({
        ...emails,
        label: 'E-mail addresses, one per line',
        hint: `These people can sign in besides the domains above. Up to ${ALLOWED_EMAILS_MAX}.`,
        rows: rowsFor(emails.value),
      }),
    ])}`
}

export const signInForms = [nameForm, callbacksForm, accessForm, loginsForm]
