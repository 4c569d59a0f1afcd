import {
  isProviderName,
  LOGIN_FAILURES,
  type LoginFailureCode,
  OPERATOR_PROVIDERS,
  PROVIDERS,
  type ProviderName,
} from '@gatehouse-auth/contract'
import { ApiError } from '../../../domain/api-error.ts'
import type { TenantId } from '../../../domain/ids.ts'
import { providerLabel, providerName } from '../../../domain/providers/provider.ts'
import {
  providerTextOf,
  type TestResult,
  testResultQuery,
} from '../../../domain/providers/test-result.ts'
import type { Context } from '../../../operations/context.ts'
import {
  type DescribedProvider,
  listProviders,
  removeProvider,
  setProvider,
} from '../../../operations/providers/providers.ts'
import { startTestSignIn, type TestedProvider } from '../../../operations/providers/test-sign-in.ts'
import { requestAddressKey } from '../../callers/author.ts'
import { loginBrowserCookie, setLoginBrowserCookie } from '../../callers/cookies.ts'
import { redirectTo } from '../../edge/redirect-to.ts'
import { heading, hiddenHeading, scrollTable } from '../../pages/elements.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import { consoleForm, formButton } from '../console-form.ts'
import { accountPaths, below } from '../paths.ts'
import type { Frame } from '../projects/project-page.ts'
import { settingsSection } from './settings-page.ts'

export const testForm = consoleForm({
  path: below(accountPaths.providers, 'test'),
  button: 'Test sign-in',
  run: ({ ctx, deps, c, tenant, form }) =>
    startTestSignIn(ctx, tenant, {
      name: providerField(form),
      browser: loginBrowserCookie(c, ctx.baseUrl),
      addressKey: requestAddressKey(deps, c),
      next: accountPaths.providers(tenant.id),
    }),
  outcome({ location, browser }, { c, ctx }) {
    setLoginBrowserCookie(c, ctx.baseUrl, browser)
    return redirectTo(c, location.href)
  },
})

const shareForm = consoleForm({
  path: below(accountPaths.providers, 'share'),
  button: 'Switch on',
  done: {
    'provider-on': 'Provider switched on.',
  },
  run: ({ ctx, tenant, author, form }) =>
    setProvider(ctx, tenant, providerField(form), null, author),
})

export const removeForm = consoleForm({
  path: below(accountPaths.providers, 'remove'),
  button: 'Remove',
  done: {
    'provider-off': 'Provider removed. Users who signed in with it stay signed in.',
  },
  run: ({ ctx, tenant, author, form }) => removeProvider(ctx, tenant, providerField(form), author),
})

function providerField(form: URLSearchParams): ProviderName {
  const name = form.get('provider') ?? ''
  if (isProviderName(name)) {
    return name
  }
  throw new ApiError('providerNotFound', 'There is no such identity provider.')
}

/** The page that shows the result of a test sign-in. */
export const testedLocation = (
  { keyring }: Pick<Context, 'keyring'>,
  { next, tenantId, ...test }: TestedProvider,
): string => `${next}?${testResultQuery(keyring, tenantId, test)}#sign-in-providers`

const RESULT_WORDS: Readonly<Record<Exclude<TestResult['result'], LoginFailureCode>, string>> = {
  success: 'The test sign-in worked. Your client is in use.',
  denied: 'You cancelled the test sign-in at the provider. Nothing was changed.',
  replaced: 'The test sign-in worked, but another client was set meanwhile. Test that one.',
}

const RESULTS: ReadonlyMap<string, string> = new Map(Object.entries(RESULT_WORDS))

/** By the query of `testedLocation`. Other values show nothing, so a link can't put words on the page. */
function testMessage(
  { keyring }: Pick<Context, 'keyring'>,
  tenantId: TenantId,
  query: Readonly<Record<string, string>>,
): string | undefined {
  const { tested = '', result = '' } = query
  if (!isProviderName(tested)) {
    return undefined
  }
  const name = providerName(tested, null)
  const known = RESULTS.get(result)
  if (known !== undefined) {
    return `${name}: ${known}`
  }
  if (!Object.hasOwn(LOGIN_FAILURES, result)) {
    return undefined
  }
  const said = providerTextOf(keyring, tenantId, query)
  const reason = said === null ? '' : ` The provider says: “${said}”`
  return `${name}: The test sign-in failed (${result}). ${LOGIN_FAILURES[result as LoginFailureCode]}${reason}`
}

interface ProjectProviders {
  readonly providers: readonly DescribedProvider[]
  /** What this service has a client for, and the project doesn't use. */
  readonly available: readonly ProviderName[]
}

/** How users sign in to the app. */
export const providersSection = settingsSection({
  id: 'sign-in-providers',
  title: 'Sign-in providers',
  forms: [testForm, shareForm, removeForm],
  async load({ ctx, tenant, project }): Promise<ProjectProviders | null> {
    if (project.callbackHosts.length === 0) {
      return null
    }
    const providers = await listProviders(ctx, tenant)
    const isNew = (name: ProviderName) => !providers.some((provider) => provider.name === name)
    return {
      providers,
      available: OPERATOR_PROVIDERS.filter(
        (name) => ctx.providers.shared(name) !== null && isNew(name),
      ),
    }
  },
  notice: ({ ctx, tenant, c }) => testMessage(ctx, tenant.id, c.req.query()),
  formActions: ({ providers }) => testFormActions(providers),
  view: providersList,
})

function providersList(frame: Frame, { providers, available }: ProjectProviders): Html {
  return html`
  ${scrollTable({
    caption: 'What users can sign in with',
    label: 'Sign-in providers',
    head: [...['Provider', 'Client', 'State'].map(heading), hiddenHeading('Actions')],
    rows: providers.map((provider) => row(provider, frame)),
  })}
  <div class="buttons">${available.map((name) =>
    formButton(shareForm, frame, {
      label: `${shareForm.button} ${providerName(name, null)}`,
      fields: { provider: name },
    }),
  )}</div>
  <h3>Your own client</h3>
  <p>The provider shows your app’s name instead of this service’s, and its quotas are yours. <a href="/docs/providers#your-own-client">When to use one</a></p>
  <nav class="section-links" aria-label="Your own client">${clientLinks(frame.project.tenantId)}</nav>`
}

const clientLinks = (tenantId: string): Html =>
  html`${Object.entries(PROVIDERS).map(
    ([name, { label }]) => html`<a href="${accountPaths.client(tenantId, name)}">${label}</a>`,
  )}<a href="${accountPaths.client(tenantId, 'oidc')}">Another OpenID provider</a>`

function row({ name, client, inUse }: DescribedProvider, frame: Frame): Html {
  const button = { fields: { provider: name }, describedBy: `provider-${name}` }
  return html`<tr>
    <td id="provider-${name}">${displayText(providerLabel(name, client))}</td>
    <td>${client?.mode === 'own' ? html`Your own: <code>${displayText(client.clientId ?? '')}</code>` : 'Shared'}</td>
    <td>${providerState({ client, inUse }, frame.now)}</td>
    <td>
      ${client?.mode === 'own' && formButton(testForm, frame, button)}
      ${client?.mode === 'own' && html`<a href="${accountPaths.client(frame.project.tenantId, name)}" aria-describedby="provider-${name}">Change</a>`}
      ${client !== null && formButton(removeForm, frame, button)}
    </td>
  </tr>`
}

export function providerState(
  { client, inUse }: Pick<DescribedProvider, 'client' | 'inUse'>,
  now: number,
): Html {
  switch (client?.status) {
    case 'pending':
      return html`Waiting for your test sign-in. ${waitingUse(inUse)}`
    case 'failing':
      return html`<strong>Failing:</strong> the provider refused this client, so its sign-ins fail. Set a new secret.`
    default:
      return client?.testedAt == null
        ? html`Active`
        : html`Active, tested ${timestamp(client.testedAt, now)}`
  }
}

const waitingUse = (inUse: DescribedProvider['inUse']): string => {
  if (inUse === null) {
    return 'Until then, users can’t use it.'
  }
  return inUse.mode === 'own'
    ? 'Until then, the previous client is used.'
    : 'Until then, the shared client is used.'
}

/** The button "Test sign-in" redirects to a provider, which may redirect further. */
export function testFormActions(providers: readonly DescribedProvider[]): string[] {
  const own = providers.flatMap(({ client }) => (client?.mode === 'own' ? [client] : []))
  const local = own.flatMap(({ issuer }) =>
    issuer?.startsWith('http:') ? [new URL(issuer).origin] : [],
  )
  return own.length === 0 ? [] : ['https:', ...local]
}
