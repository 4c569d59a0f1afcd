import * as endpoints from '@gatehouse-auth/contract'
import {
  ALLOWED_DOMAINS_MAX,
  ALLOWED_EMAILS_MAX,
  CALLBACK_URLS_MAX,
  REFRESH_LEEWAY_MAX_SECONDS,
} from '@gatehouse-auth/contract/limits'
import type { z } from 'zod'
import { readCallbackList } from '../../../domain/callbacks/url.ts'
import { PROJECT_NAME_MAX_CHARACTERS } from '../../../domain/tenants/tenant.ts'
import { renameProject } from '../../../operations/tenants/project-name.ts'
import {
  changeSettings,
  findSettings,
  provisionSocialLogin,
} from '../../../operations/tenants/provision.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { readSettingsChange, settingsView } from '../../settings-views.ts'
import { readSocialLoginConfiguration } from '../../views.ts'
import { type ConsoleForm, consoleForm, formElement } from '../console-form.ts'
import * as fields from '../fields.ts'
import { accountPaths, below } from '../paths.ts'
import type { FormPost } from '../project-call.ts'
import { settingsSection } from './settings-page.ts'

const nameForm = consoleForm({
  path: below(accountPaths.settings, 'name'),
  button: 'Save name',
  done: {
    renamed: 'Name saved.',
  },
  fields: {
    name: fields.text({
      label: 'Name of the project',
      hint: `Only you see it. At most ${PROJECT_NAME_MAX_CHARACTERS} characters. Without a name, the project is called by its brand, its host or its id.`,
    }),
  },
  run: ({ ctx, tenant, author }, { name }) => renameProject(ctx, tenant, name, author),
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
  done: {
    callbacks: 'Callback URLs saved.',
  },
  fields: {
    callback_urls: fields.lines({
      label: 'One URL per line',
      hint: `Up to ${CALLBACK_URLS_MAX}. \`http://localhost\` without a port allows every port; \`https://*.example.com/callback\` allows every subdomain.`,
      required: true,
    }),
  },
  body: endpoints.provisionSocialLogin.body,
  run: ({ ctx, tenant, author }, urls) =>
    provisionSocialLogin(ctx, tenant, readSocialLoginConfiguration(urls), author),
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
  body: z.output<typeof endpoints.changeSettings.body>,
): Promise<unknown> {
  return changeSettings(
    ctx,
    tenant,
    { settings: readSettingsChange(body), names: Object.keys(body) },
    author,
  )
}

type Settings = ReturnType<typeof settingsView>

/** What a form of the settings does: its fields have the names of the settings in the API. */
const SAVE = { body: endpoints.changeSettings.body, run: saveSettings }

interface FormSection {
  readonly id: string
  readonly title: string
  intro?(settings: Settings): Html
}

/** A section with one form of the settings. */
const settingsForm = (form: ConsoleForm, { id, title, intro }: FormSection) =>
  settingsSection({
    id,
    title,
    forms: [form],
    load: async ({ ctx, tenant }): Promise<Settings | null> => {
      const resource = await findSettings(ctx, tenant)
      return resource && settingsView(resource)
    },
    view: (frame, values) => html`${intro?.(values)}${formElement(form, frame, { values })}`,
  })

const tokensForm = consoleForm({
  path: accountPaths.tokens,
  button: 'Save tokens',
  done: {
    tokens: 'Saved.',
  },
  fields: {
    callback_mode: fields.choice({
      label: 'How your app gets tokens after a login',
      choices: {
        either: 'As tokens in the callback URL, or as a one-time code if the login asks for one',
        code: 'Only as a one-time code: no token is in a URL, and every login must start with a `code_challenge`',
      },
    }),
    refresh_leeway_seconds: fields.number({
      label: 'Refresh leeway in seconds',
      hint: `For apps that refresh twice by accident: how many seconds a used refresh token still works (0–${REFRESH_LEEWAY_MAX_SECONDS}).`,
      max: REFRESH_LEEWAY_MAX_SECONDS,
    }),
  },
  ...SAVE,
})

/** How the app gets its tokens and renews them. */
export const tokensSection = settingsForm(tokensForm, { id: 'logins', title: 'Tokens of your app' })

const consentForm = consoleForm({
  path: below(accountPaths.signInPages, 'consent'),
  button: 'Save consent',
  done: {
    consent: 'Saved.',
  },
  fields: {
    remember_consent: fields.box({
      label:
        'Ask users once, and skip the question in the same browser for 30 days. [When it’s asked again](/docs/settings#remembered-consent)',
    }),
  },
  ...SAVE,
})

/** How often users are asked. */
export const consentSection = settingsForm(consentForm, {
  id: 'consent-question',
  title: 'Consent',
})

const accessForm = consoleForm({
  path: accountPaths.access,
  button: 'Save who can sign in',
  done: {
    access: 'Saved. It applies to the next sign-ins. Users who are signed in stay signed in.',
  },
  fields: {
    admission: fields.choice({
      label: 'New users',
      choices: {
        open: 'Open: anyone. If you fill in a list below, only the accounts in it',
        invited: 'Closed: people with an invitation, and the accounts in the lists',
      },
    }),
    allowed_domains: fields.lines({
      label: 'Google Workspace domains, one per line',
      hint: `Accounts that the organization manages: an address at the domain is not enough. Up to ${ALLOWED_DOMAINS_MAX}.`,
    }),
    allowed_emails: fields.lines({
      label: 'Email addresses, one per line',
      hint: `These people can sign in besides the domains above. Up to ${ALLOWED_EMAILS_MAX}.`,
    }),
  },
  // Fits 500 addresses of 254 characters, each of which may be three in a form.
  limits: { maxBytes: 512 * 1_024 },
  ...SAVE,
})

/** Who may sign in to the app. */
export const accessSection = settingsForm(accessForm, {
  id: 'admission',
  title: 'Who can sign in',
  intro: (access) => html`<p>${whoCanSignIn(access)}</p>`,
})

function whoCanSignIn({
  admission,
  allowed_domains: domains,
  allowed_emails: emails,
}: Settings): string {
  if (admission === 'invited') {
    return 'Existing users, the accounts below and people with an invitation can sign in.'
  }
  return domains.length + emails.length > 0
    ? 'Only the accounts below can sign in.'
    : 'Anyone with an account at a provider can sign in. Fill in a list, and only those accounts can sign in.'
}
