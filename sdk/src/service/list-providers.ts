import { recordOf } from '../json.ts'
import { isProviderName, type LoginProvider } from '../login/provider.ts'
import { isText, mismatch } from './read-response.ts'
import { RETRY_ONCE, systemClock, withRetry } from './retry.ts'
import type { Send } from './send.ts'

export async function listProviders(send: Send, authPath: string): Promise<LoginProvider[]> {
  const response = await withRetry(RETRY_ONCE, systemClock, () =>
    send({ method: 'GET', path: `${authPath}/providers` }),
  )
  const { providers } = recordOf(response.json)
  if (!Array.isArray(providers)) throw mismatch(response)
  // A provider that a later version of the service adds is left out: this package has no name for it.
  return providers
    .map(recordOf)
    .flatMap(({ name, display_name: displayName }) =>
      isText(name) && isText(displayName) && isProviderName(name) ? [{ name, displayName }] : [],
    )
}
