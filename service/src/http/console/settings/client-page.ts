import {
  isProviderName,
  OWN_CLIENTS,
  PROVIDERS,
  type ProviderKind,
  type ProviderName,
  providerKind,
} from '@gatehouse/contract'
import { ApiError, invalidRequest } from '../../../domain/api-error.ts'
import { callbackPath, providerLabel } from '../../../domain/providers/provider.ts'
import {
  type DescribedProvider,
  describeProvider,
  listProviders,
  setProvider,
} from '../../../operations/providers/providers.ts'
import { readOwnClient } from '../../control/providers.ts'
import type { Call } from '../../dependencies.ts'
import { commandBlock } from '../../pages/elements.ts'
import { textArea, textField } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { consoleForm, consolePage, type FormPost, formButton, formElement } from '../console-page.ts'
import { FormState, type RejectedForm } from '../form-state.ts'
import { accountPaths, withQuery } from '../paths.ts'
import { type Frame, projectLayout } from '../projects/project-page.ts'
import { providerState, removeForm, testForm } from './providers.ts'

const clientForm = consoleForm({
  path: accountPaths.client,
  button: 'Save client',
  id: 'client',
  // Which fields there are depends on the provider: see `clientPage`.
  fields: [],
  async run(post) {
    const { ctx, c, tenant, author, form } = post
    const name = providerOf(c) ?? (await newName(post))
    await setProvider(ctx, tenant, name, readOwnClient(name, readClientFields(providerKind(name), form)), author)
    return name
  },
  done: { saved: 'Client saved. Press Test sign-in: it’s used after the first success.' },
  outcome: (name, { c, tenant }) => c.redirect(withQuery(accountPaths.client(tenant.id, name), { done: 'saved' }), 303),
})

/** The page with the form of an owner's own client. */
export const clientRoute = consolePage({
  path: accountPaths.client,
  forms: [clientForm],
  async load({ ctx, c, tenant, rejected }) {
    const name = providerOf(c)
    const providers = await listProviders(ctx, tenant)
    const provider =
      name === null ? null : (providers.find((each) => each.name === name) ?? describeProvider(ctx, tenant, name, []))
    const ours = ctx.baseUrl + callbackPath(name ?? 'oidc-<name>', tenant.id)
    const redirectUri = provider?.redirectUri ?? ours
    return {
      kind: name === null ? ('oidc' as const) : providerKind(name),
      provider,
      providers,
      redirectUri,
      relay: redirectUri === ours ? null : redirectUri,
      rejected,
    }
  },
  view: (frame, client) => clientPage(frame, client),
  formActions: ({ providers }) => testFormActions(providers),
})

/** In the path of the page that adds an OpenID provider. */
const NEW = 'oidc'

/** null: the provider has no name yet. */
function providerOf(c: Call): ProviderName | null {
  const name = c.req.param('provider') ?? ''
  if (name === NEW) return null
  if (isProviderName(name)) return name
  throw new ApiError('providerNotFound', 'There is no such identity provider.')
}

async function newName({ ctx, tenant, form }: FormPost): Promise<ProviderName> {
  const name = `oidc-${form.get('name')?.trim()}`
  const reject = (problem: string): never => {
    throw invalidRequest('Nothing was changed.', [{ path: 'name', problem }])
  }
  if (!isProviderName(name)) return reject('Enter 2 to 20 of a-z, 0-9 and “-”.')
  const known = await listProviders(ctx, tenant)
  return known.some((provider) => provider.name === name) ? reject('This project has a provider with this id.') : name
}

interface Client {
  readonly kind: ProviderKind
  /** null: an OpenID provider that the owner is about to name. */
  readonly provider: DescribedProvider | null
  /** With `<name>` for an OpenID provider without one. */
  readonly redirectUri: string
  /** The owner's relay, which is `redirectUri` then. */
  readonly relay: string | null
  readonly rejected: RejectedForm | null
}

/** `/account/projects/:tenantId/settings/clients/:provider`. The secret is entered here, and never shown. */
export function clientPage(frame: Frame, { kind, provider, redirectUri, relay, rejected }: Client): Html {
  const names = clientFieldNames(kind)
  const form = new FormState('client', rejected, provider === null ? ['name', ...names] : names)
  const own = provider?.client?.mode === 'own' ? provider.client : null
  const label = displayText(provider === null ? 'an OpenID provider' : providerLabel(provider.name, own))
  const current = {
    client_id: own?.clientId ?? '',
    issuer: own?.issuer ?? '',
    display_name: own?.displayName ?? '',
    redirect_uri: relay ?? '',
    // The one of a stored client is sealed. To leave it out would open the app to every account.
    directory: own === null ? 'common' : '',
  }
  return projectLayout(
    frame,
    'settings',
    html`
      <p><a href="${accountPaths.settings(frame.project.tenantId)}#providers">Sign-in providers</a></p>
      <h2>Your own client at ${label}</h2>
      <p>The provider then shows your app’s name instead of this service’s. Users keep their accounts. <a href="/docs/providers#${kind in PROVIDERS ? kind : 'any-openid-provider'}">How to register a client</a></p>
      ${provider !== null && own !== null && state(frame, provider)}
      <section class="card setting">
        <h3>${own === null ? 'Enter the client' : 'Replace the client or its secret'}</h3>
        <p>Register exactly this redirect URL at the provider:</p>
        ${commandBlock('Redirect URL', redirectUri)}
        ${formElement(
          clientForm,
          frame,
          form,
          html`${
            provider === null &&
            textField({
              ...form.field('name', ''),
              label: 'Id in login links',
              hint: html`2 to 20 of a-z, 0-9 and “-”: the login link ends with <code>oidc-</code> and this.`,
              required: true,
            })
          }
          ${clientFields(kind, form, current)}
          <p class="aside">It’s used after your first successful test sign-in; until then, nothing changes for your users. The secret is encrypted and never shown again.</p>`,
          provider?.name ?? kind,
        )}
      </section>
    `,
  )
}

const state = (frame: Frame, provider: DescribedProvider): Html => {
  const fields = { provider: provider.name }
  return html`<section class="card setting">
    <h3>State</h3>
    <p>${providerState(provider, frame.now)}</p>
    <div class="actions">
      ${formButton(testForm, frame, { fields })}
      ${formButton(removeForm, frame, { fields, label: 'Remove client' })}
    </div>
  </section>`
}

/** The button "Test sign-in" redirects to a provider, which may redirect further. */
export function testFormActions(providers: readonly DescribedProvider[]): string[] {
  const own = providers.flatMap(({ client }) => (client?.mode === 'own' ? [client] : []))
  const local = own.flatMap(({ issuer }) => (issuer?.startsWith('http:') ? [new URL(issuer).origin] : []))
  return own.length === 0 ? [] : ['https:', ...local]
}

interface ClientField {
  readonly label: string
  readonly hint?: string
  /** Never sent back to the browser, also not when the form is shown again. */
  readonly secret?: boolean
  readonly optional?: boolean
  readonly rows?: number
}

/** The fields that the API has for clients, in the order of the form. Which ones a provider takes is in the contract. */
const FIELDS: Readonly<Record<string, ClientField>> = {
  display_name: { label: 'Name of the provider', hint: 'Users see it on the sign-in pages. At most 40 characters.' },
  issuer: { label: 'Issuer', hint: 'An https URL, as in its discovery document.' },
  client_id: { label: 'Client ID' },
  client_secret: { label: 'Client secret', secret: true },
  directory: {
    label: 'Directory',
    hint: 'Who can sign in: a directory id or its domain, organizations, consumers, or common for every account.',
  },
  team_id: { label: 'Team ID', hint: 'Ten characters.' },
  key_id: { label: 'Key ID', hint: 'Ten characters.' },
  private_key: { label: 'Private key', hint: 'The whole content of the .p8 file.', secret: true, rows: 6 },
  redirect_uri: {
    label: 'Relay URL',
    hint: 'Only if a URL of your app relays the provider’s response to this service. Leave it empty otherwise.',
    optional: true,
  },
}

/** Their names in the API. */
const clientFieldNames = (kind: ProviderKind): string[] =>
  Object.keys(FIELDS).filter((name) => name in OWN_CLIENTS[kind].shape)

/** What the API would get: without empty optional fields. */
function readClientFields(kind: ProviderKind, form: URLSearchParams): Record<string, string> {
  const given = clientFieldNames(kind).map((name) => [name, (form.get(name) ?? '').trim().replaceAll('\r\n', '\n')])
  return Object.fromEntries(given.filter(([name = '', value]) => value !== '' || FIELDS[name]?.optional !== true))
}

const clientFields = (kind: ProviderKind, form: FormState, current: Readonly<Record<string, string>>): Html =>
  html`${clientFieldNames(kind).map((name) => field(name, form, current[name] ?? ''))}`

function field(name: string, form: FormState, current: string): Html {
  const { label, hint, secret = false, optional = false, rows } = FIELDS[name] ?? { label: name }
  const state = form.field(name, current)
  const shown = { ...state, value: secret ? '' : state.value, label, required: !optional }
  const described = hint === undefined ? shown : { ...shown, hint }
  return rows === undefined
    ? textField({ ...described, type: secret ? 'password' : 'text' })
    : textArea({ ...described, rows })
}
