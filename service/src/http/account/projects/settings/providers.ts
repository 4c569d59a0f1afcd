import { isProviderName, LOGIN_FAILURES, type LoginFailureCode, type ProviderName } from '@gatehouse/contract'
import { ApiError } from '../../../../domain/api-error.ts'
import type { TenantId } from '../../../../domain/ids.ts'
import { providerName } from '../../../../domain/providers/provider.ts'
import { providerTextOf, testResultQuery } from '../../../../domain/providers/test-result.ts'
import type { Context } from '../../../../operations/context.ts'
import { removeProvider, setProvider } from '../../../../operations/providers/providers.ts'
import { startTestSignIn, type TestedProvider } from '../../../../operations/providers/test-sign-in.ts'
import { ownerAuthor } from '../../../callers/author.ts'
import { requestAddressKey } from '../../../callers/client-address.ts'
import { loginBrowserCookie, setLoginBrowserCookie } from '../../../callers/login-browser-cookie.ts'
import type { App, HttpDependencies } from '../../../dependencies.ts'
import { redirectTo } from '../../../edge/redirect-to.ts'
import { accountPaths } from '../../paths.ts'
import { projectPost } from '../project-route.ts'

/** The buttons of the section "Sign-in providers". */
export function projectProviderRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  projectPost(app, deps, '/providers/test', async (c, { tenant, form }) => {
    const { location, browser } = await startTestSignIn(ctx, tenant, {
      name: providerField(form),
      browser: loginBrowserCookie(c, ctx.baseUrl),
      addressKey: requestAddressKey(deps, c),
      next: accountPaths.settings(tenant.id),
    })
    setLoginBrowserCookie(c, ctx.baseUrl, browser)
    return redirectTo(c, location.href)
  })

  projectPost(app, deps, '/providers/share', async (c, { owner, tenant, form }) => {
    await setProvider(ctx, tenant, providerField(form), null, ownerAuthor(c, owner))
    return c.redirect(`${accountPaths.settings(tenant.id)}?done=provider-on#providers`, 303)
  })

  projectPost(app, deps, '/providers/remove', async (c, { owner, tenant, form }) => {
    await removeProvider(ctx, tenant, providerField(form), ownerAuthor(c, owner))
    return c.redirect(`${accountPaths.settings(tenant.id)}?done=provider-off#providers`, 303)
  })
}

function providerField(form: URLSearchParams): ProviderName {
  const name = form.get('provider') ?? ''
  if (isProviderName(name)) return name
  throw new ApiError('providerNotFound', 'There is no such identity provider.')
}

/** The page that shows the result of a test sign-in. */
export const testedLocation = (
  { keyring }: Pick<Context, 'keyring'>,
  { next, tenantId, ...test }: TestedProvider,
): string => `${next}?${testResultQuery(keyring, tenantId, test)}#providers`

const RESULTS: ReadonlyMap<string, string> = new Map([
  ['success', 'The test sign-in worked. Your client is in use.'],
  ['denied', 'You cancelled the test sign-in at the provider. Nothing was changed.'],
  ['replaced', 'The test sign-in worked, but another client was set meanwhile. Test that one.'],
])

/** By the query of `testedLocation`. Other values show nothing, so a link can't put words on the page. */
export function testMessage(
  { keyring }: Pick<Context, 'keyring'>,
  tenantId: TenantId,
  query: Readonly<Record<string, string>>,
): string | undefined {
  const { tested = '', result = '' } = query
  if (!isProviderName(tested)) return undefined
  const name = providerName(tested, null)
  const known = RESULTS.get(result)
  if (known !== undefined) return `${name}: ${known}`
  if (!Object.hasOwn(LOGIN_FAILURES, result)) return undefined
  const said = providerTextOf(keyring, tenantId, query)
  const reason = said === null ? '' : ` The provider says: “${said}”`
  return `${name}: The test sign-in failed (${result}). ${LOGIN_FAILURES[result as LoginFailureCode]}${reason}`
}
