import * as contract from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { readCallbackList } from '../../../domain/callbacks/url.ts'
import { defined } from '../../../domain/defined.ts'
import {
  changeSettings,
  findSettings,
  provisionSocialLogin,
} from '../../../operations/social-login/provision.ts'
import { renameProject } from '../../../operations/tenants/project-name.ts'
import { readSettingsChange, settingsView } from '../../control/social-login.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { readSocialLoginConfiguration } from '../../views.ts'
import { consoleForm, type FormPost, formElement } from '../console-page.ts'
import type { FormOptions } from '../form.ts'
import { settingsSection } from './settings-page.ts'

const nameForm = consoleForm('settings/name', ({ ctx, tenant, author }, { name }) =>
  renameProject(ctx, tenant, String(name), author),
)

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
  body: z.output<typeof contract.changeSettings.body>,
): Promise<unknown> {
  return changeSettings(
    ctx,
    tenant,
    { settings: readSettingsChange(body), names: Object.keys(body) },
    author,
  )
}

interface FormSection {
  readonly id: string
  readonly title: string
  readonly limits?: FormOptions
  intro?(settings: Settings): Html
}

type Settings = ReturnType<typeof settingsView>

/** A section with one form, whose fields have the names of the settings in the API. */
function settingsForm(
  key: Parameters<typeof consoleForm>[0],
  { id, title, limits, intro }: FormSection,
) {
  const form = consoleForm(key, {
    ...defined({ limits }),
    body: contract.changeSettings.body,
    run: saveSettings,
  })
  return settingsSection({
    id,
    title,
    forms: [form],
    load: async ({ ctx, tenant }): Promise<Settings | null> => {
      const resource = await findSettings(ctx, tenant)
      return resource && settingsView(resource)
    },
    view: (frame, values) => html`${intro?.(values)}${formElement(form, frame, { values })}`,
  })
}

/** How the app gets its tokens and renews them. */
export const tokensSection = settingsForm('tokens', { id: 'logins', title: 'Tokens of your app' })

/** How often users are asked. */
export const consentSection = settingsForm('signInPages/consent', {
  id: 'consent-question',
  title: 'Consent',
})

/** Who may sign in to the app. */
export const accessSection = settingsForm('access', {
  id: 'admission',
  title: 'Who can sign in',
  // Fits 500 addresses of 254 characters, each of which may be three in a form.
  limits: { maxBytes: 512 * 1_024 },
  intro: (access) =>
    html`<p>${whoCanSignIn(access)} In an open project, everyone else is turned away as soon as you fill in either list.</p>`,
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
    : 'Anyone with an account at a provider can sign in.'
}
