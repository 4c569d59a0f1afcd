import {
  isProviderName,
  OWN_CLIENTS,
  PROVIDER_KINDS,
  PROVIDERS,
  type ProviderDefinition,
  type ProviderField,
  type ProviderKind,
  type ProviderName,
  providerKind,
} from '@gatehouse-auth/contract'
import { ApiError, invalidRequest } from '../../../domain/api-error.ts'
import { callbackPath, providerLabel } from '../../../domain/providers/provider.ts'
import {
  type DescribedProvider,
  describeProvider,
  listProviders,
  setProvider,
} from '../../../operations/providers/providers.ts'
import { readOwnClient } from '../../own-client.ts'
import { commandBlock } from '../../pages/elements.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { consoleForm, formButton, formElement } from '../console-form.ts'
import { consolePage, type PageCall } from '../console-page.ts'
import type { FormField } from '../fields.ts'
import * as fields from '../fields.ts'
import { accountPaths, withQuery } from '../paths.ts'
import type { FormPost } from '../project-call.ts'
import type { Frame } from '../projects/project-page.ts'
import { providerState, removeForm, testForm, testFormActions } from './providers.ts'
import { settingsLayout } from './settings-page.ts'

const clientForm = consoleForm({
  path: accountPaths.client,
  id: 'client',
  button: 'Save client',
  fields: {
    name: fields.text({
      label: 'Id in login links',
      hint: '2 to 20 of a-z, 0-9 and “-”: the login link ends with `oidc-` and this.',
      required: true,
    }),
    display_name: ownField(PROVIDER_KINDS.oidc.fields.display_name),
    issuer: ownField(PROVIDER_KINDS.oidc.fields.issuer),
    client_id: fields.text({
      label: 'Client ID',
      required: true,
    }),
    client_secret: fields.secret({
      label: 'Client secret',
      required: true,
    }),
    ...ownFields(),
    redirect_uri: fields.optional({
      label: 'Relay URL',
      hint: 'Advanced: only if your own domain forwards the provider’s response to us.',
    }),
  },
  async run(post, { name: newId, ...entered }) {
    const { ctx, item, tenant, author } = post
    const name = providerOf(item) ?? (await newName(post, String(newId)))
    const { shape } = OWN_CLIENTS[providerKind(name)]
    const fields = Object.entries(entered).filter(([field]) => field in shape)
    const client = readOwnClient(name, Object.fromEntries(fields))
    await setProvider(ctx, tenant, name, client, author)
    return name
  },
  outcome: (name, { c, tenant }) =>
    c.redirect(withQuery(accountPaths.client(tenant.id, name), { done: 'saved' }), 303),
})

/** The fields that only some of the named providers have. */
function ownFields(): Record<string, FormField<string>> {
  const definitions: readonly ProviderDefinition[] = Object.values(PROVIDERS)
  const all = definitions.flatMap((definition) => Object.entries(definition.fields))
  return Object.fromEntries(all.map(([name, words]) => [name, ownField(words)]))
}

function ownField({ label, hint, secretRows: rows }: ProviderField): FormField<string> {
  return rows === undefined
    ? fields.text({ label, hint, required: true })
    : fields.secret({ label, hint, rows, required: true })
}

/** The page with the form of an owner's own client. */
export const clientRoute = consolePage({
  path: accountPaths.client,
  tab: 'settings',
  forms: [clientForm],
  notices: {
    saved: { message: 'Client saved. Press Test sign-in: it’s used after the first success.' },
  },
  load: loadClient,
  view: (frame, client) => clientPage(frame, client),
  formActions: ({ providers }) => testFormActions(providers),
})

async function loadClient({ ctx, item, tenant }: PageCall) {
  const name = providerOf(item)
  const providers = await listProviders(ctx, tenant)
  const ourRedirectUri = ctx.baseUrl + callbackPath(name ?? 'oidc-<name>', tenant.id)
  if (name === null) {
    const kind: ProviderKind = 'oidc'
    return { kind, provider: null, providers, redirectUri: ourRedirectUri, relay: null }
  }

  const known = providers.find((each) => each.name === name)
  const provider = known ?? describeProvider(ctx, tenant, name, [])
  const { redirectUri } = provider
  return {
    kind: providerKind(name),
    provider,
    providers,
    redirectUri,
    relay: redirectUri === ourRedirectUri ? null : redirectUri,
  }
}

/** In the path of the page that adds an OpenID provider. */
const NEW = 'oidc'

/** null: the provider has no name yet. */
function providerOf(name: string): ProviderName | null {
  if (name === NEW) {
    return null
  }
  if (isProviderName(name)) {
    return name
  }
  throw new ApiError('providerNotFound', 'There is no such identity provider.')
}

async function newName({ ctx, tenant }: FormPost, id: string): Promise<ProviderName> {
  const name = `oidc-${id}`
  const reject = (problem: string): never => {
    throw invalidRequest('Nothing was changed.', [{ path: 'name', problem }])
  }
  if (!isProviderName(name)) {
    return reject('Enter 2 to 20 of a-z, 0-9 and “-”.')
  }
  const known = await listProviders(ctx, tenant)
  return known.some((provider) => provider.name === name)
    ? reject('This project has a provider with this id.')
    : name
}

interface Client {
  readonly kind: ProviderKind
  /** null: an OpenID provider that the owner is about to name. */
  readonly provider: DescribedProvider | null
  /** With `<name>` for an OpenID provider without one. */
  readonly redirectUri: string
  /** The owner's relay, which is `redirectUri` then. */
  readonly relay: string | null
}

/** `/account/projects/:tenantId/settings/clients/:provider`. The secret is entered here, and never shown. */
function clientPage(frame: Frame, { kind, provider, redirectUri, relay }: Client): Html {
  const own = provider?.client?.mode === 'own' ? provider.client : null
  const label = provider === null ? null : displayText(providerLabel(provider.name, own))
  const place = label ?? 'the provider'
  const guide = kind in PROVIDERS ? kind : 'any-openid-provider'
  const form = formOf(kind, provider === null)
  const values = {
    client_id: own?.clientId,
    issuer: own?.issuer,
    display_name: own?.displayName,
    redirect_uri: relay,
    // The one of a stored client is sealed. To leave it out would open the app to every account.
    directory: own === null ? 'common' : '',
  }
  const note = html`<p class="aside">It’s used after your first successful test sign-in; until then, nothing changes for your users. The secret is encrypted and never shown again.</p>`
  return settingsLayout(
    frame,
    'providers',
    html`
      <p><a href="${accountPaths.providers(frame.project.tenantId)}">Sign-in providers</a></p>
      <h2>Your own client at ${label ?? 'an OpenID provider'}</h2>
      <p>Users then see your app’s name at ${place}. No one has to sign up again. <a href="/docs/providers#${guide}">How to register a client</a></p>
      ${provider !== null && own !== null && state(frame, provider)}
      <section class="card setting">
        <h3>${own === null ? 'Enter the client' : 'Replace the client or its secret'}</h3>
        <p>Register exactly this redirect URL at the provider:</p>
        ${commandBlock('Redirect URL', redirectUri)}
        ${formElement(form, frame, { values, note, item: provider?.name ?? kind })}
      </section>
    `,
  )
}

/** The form with the fields that a client at this provider has. Only a new provider has a name to choose. */
function formOf(kind: ProviderKind, isNew: boolean): typeof clientForm {
  const { shape } = OWN_CLIENTS[kind]
  const fields = Object.entries(clientForm.fields ?? {}).filter(
    ([name]) => name in shape || (name === 'name' && isNew),
  )
  return { ...clientForm, fields: Object.fromEntries(fields) as typeof clientForm.fields }
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
