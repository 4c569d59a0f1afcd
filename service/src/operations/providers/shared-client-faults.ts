import type { ProviderName } from '@gatehouse-auth/contract'
import type { LoginFailureCode, SignIn, SignInStage } from '../../domain/login/identity-provider.ts'
import type { Instant } from '../../domain/time.ts'

/** Failures that the operator can mend, and that no visitor can cause by what the browser sends. */
const OPERATOR_FAULTS: ReadonlySet<LoginFailureCode> = new Set<LoginFailureCode>([
  'invalid_client',
  'unauthorized_client',
  'deleted_client',
  'redirect_uri_mismatch',
  'invalid_scope',
  'insufficient_scope',
  'invalid_token',
  'provider_error',
  'server_error',
  'temporarily_unavailable',
  'unreachable',
  'timeout',
  'redirected',
  'insecure_endpoint',
])

export interface SharedClientFault {
  readonly provider: ProviderName
  /** `discovery`: of the provider, before the browser is sent there. */
  readonly stage: 'discovery' | SignInStage
  readonly errorCode: LoginFailureCode
  readonly at: Instant
}

/** The last failure of each of the operator's own clients at a provider, until a sign-in with it succeeds. In memory. */
export class SharedClientFaults {
  readonly #byProvider = new Map<ProviderName, SharedClientFault>()

  /** `search`: the query of the provider's redirect. */
  note(provider: ProviderName, result: SignIn, search: string, at: Instant): void {
    if (result.outcome === 'identified') {
      this.#byProvider.delete(provider)
      return
    }

    // Prevents that a visitor writes to the status page: the browser can send any `error` itself.
    const isOfBrowser = new URLSearchParams(search).has('error')
    if (result.outcome === 'failed' && !isOfBrowser && OPERATOR_FAULTS.has(result.errorCode)) {
      const { stage, errorCode } = result
      this.#byProvider.set(provider, { provider, stage, errorCode, at })
    }
  }

  /** No login can start, because the provider's discovery document can't be read. */
  noteUnreachable(provider: ProviderName, at: Instant): void {
    this.#byProvider.set(provider, { provider, stage: 'discovery', errorCode: 'unreachable', at })
  }

  noteReachable(provider: ProviderName): void {
    if (this.#byProvider.get(provider)?.stage === 'discovery') {
      this.#byProvider.delete(provider)
    }
  }

  list(): SharedClientFault[] {
    return [...this.#byProvider.values()]
  }
}
