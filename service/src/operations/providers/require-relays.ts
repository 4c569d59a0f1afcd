import { invalidRequest } from '../../domain/invalid-request.ts'
import { callbackPath } from '../../domain/providers/callback-path.ts'
import { relayProblem } from '../../domain/providers/client-fields.ts'
import { providerName } from '../../domain/providers/provider-label.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'

/**
 * Refuses a callback list without the host of a relay that a client uses, or will use after its test sign-in. The provider's
 * responses pass there, so an owner who drops the host must decide what the client does instead; switching the client off
 * would end sign-ins without a word.
 */
export async function requireRelays(
  { baseUrl }: Pick<Context, 'baseUrl'>,
  stores: Pick<TransactionStores, 'providerClients'>,
  { tenantId, callbackUrls }: Resource,
  { pathOf }: { readonly pathOf: (index: number | null) => string },
): Promise<void> {
  const clients = await stores.providerClients.listCurrent(tenantId)
  const problems = clients
    .filter(
      ({ mode, provider, redirectUri }) => mode === 'own' && redirectUri !== baseUrl + callbackPath(provider, tenantId),
    )
    .filter(({ redirectUri }) => relayProblem(redirectUri, callbackUrls) !== null)
    .map(({ provider, displayName, redirectUri }) => ({
      path: pathOf(null),
      problem: `Your client at ${providerName(provider, displayName)} has the redirect_uri ${redirectUri}. Keep a callback URL with its scheme and host, or change the client first: PUT /api/social-login/providers/${provider}.`,
    }))
  if (problems.length > 0) {
    throw invalidRequest(
      'A client at a provider needs a host that is missing in this list. Nothing was changed.',
      problems,
    )
  }
}
