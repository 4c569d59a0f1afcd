/** Row types of login; see tables.ts. */

import type { RefusalCode, RefusalStep } from '@gatehouse-auth/contract'
import type {
  AttemptId,
  InvitationId,
  ProviderClientId,
  ResourceId,
  SessionId,
  TenantId,
  UserId,
} from '../../domain/ids.ts'
import type { AttemptStage, LoginOutcome } from '../../domain/login/attempt.ts'
import type { Refusal } from '../../domain/login/refusal.ts'
import type { ProviderName } from '../../domain/providers/provider-client.ts'

export interface LoginTables {
  login_attempts: {
    /**
     * Random; part of the consent page's URL. Gives no access without the browser's cookie. Random.
     */
    id: AttemptId
    tenant_id: TenantId
    /** The callback URL, already matched against the list. */
    redirect_uri: string
    /** The page inside the app, if one was requested. */
    return_to: string | null
    /** The identity provider, such as `google` or `oidc-acme`. */
    provider: ProviderName
    /** The owner's client that it began with, in `provider_clients`; null: the operator's. */
    provider_client_id: ProviderClientId | null
    /** The cookie of the browser that started it. Hashed. */
    browser_hash: string
    /**
     * The S256 challenge of the app's verifier, if the login ends with a one-time code; `no-challenge` for an OpenID request
     * without one.
     */
    challenge: string | null
    /** The OpenID request, as JSON; null: a login link of ours. */
    openid: string | null
    /** The invitation of the login link; null: it had none. */
    invitation_id: InvitationId | null
    /** The session whose user adds an identity (decision 69); null: a sign-in. */
    link_session_id: SessionId | null
    /**
     * 1: every start of it asked the provider for its account chooser, without a hint of an
     * account.
     */
    chooser: number
    /** 1: the consent page says that Continue is remembered. */
    remember: number
    /** `started`, `returned`, `identified` or `decided`. */
    stage: AttemptStage
    /**
     * The Workspace of the account, empty without one, until the decision; otherwise null. The
     * decision checks the lists of the app again.
     */
    hosted_domain: string | null
    /** The identity provider, until the decision; otherwise null. */
    issuer: string | null
    /** The provider's id of the user, until the decision; otherwise null. */
    subject: string | null
    /** The user's email address, until the decision; otherwise null. */
    email: string | null
    /** The user's name, until the decision; otherwise null. */
    name: string | null
    /** The URL of the user's picture, until the decision; otherwise null. */
    picture: string | null
    /** The event that ended it: `authorize`, `consent_denied` or `login_failed`. */
    outcome: LoginOutcome | null
    /** When it ended. */
    decided_at: number | null
    /** The session that it started. A repeated decision derives the first pair from it again. */
    session_id: SessionId | null
    /** When it began. */
    created_at: number
    /** Ten minutes later, and at least a minute after `decided_at`. */
    expires_at: number
  }
  login_codes: {
    tenant_id: TenantId
    /** The code (`svc_ac_…`). Hashed. */
    hash: string
    /** The social login. */
    resource_id: ResourceId
    /** The user who consented. */
    user_id: UserId
    /** The S256 challenge of the app's verifier, or `no-challenge` if an OpenID request had none. */
    challenge: string
    /** The OpenID request, as JSON; null: a login link of ours. */
    openid: string | null
    /** The callback URL that got the code; it must still be registered at the exchange. */
    redirect_uri: string
    /** How many wrong verifiers were sent; the fifth sets `used_at`. */
    wrong_verifiers: number
    /** When it was exchanged. */
    used_at: number | null
    /** The session that the exchange started. */
    session_id: SessionId | null
    /** 60 seconds after the consent. */
    expires_at: number
  }
  /** A press of Continue that is remembered. */
  consents: {
    tenant_id: TenantId
    resource_id: ResourceId
    user_id: UserId
    /** The host and port of the callback. */
    host: string
    /** The identity provider. */
    provider: ProviderName
    /** The cookie of the browser. Hashed. */
    browser_hash: string
    /**
     * A SHA-256 of what the page said about the app: owner, verified domain, name, logo, links. A
     * change asks again. Hashed.
     */
    brand_hash: string
    /** When. Later logins don't move it. */
    at: number
  }
  invitations: {
    tenant_id: TenantId
    /** Names it for its owner: `inv_…`. Random. */
    id: InvitationId
    /** The secret in the link (`svc_in_…`). Hashed. */
    hash: string
    /** The only address that can use it, in lower case; null: anyone who has the link. */
    email: string | null
    /** The claims of each user that it creates, as JSON. */
    claims: string
    /** How many users it can create. */
    uses: number
    /** How many it has created, counted in the transaction that creates each. */
    used: number
    created_at: number
    /** When it ends. */
    expires_at: number
  }
  /** Refused sign-ins by kind: step, code and the part of the redirect URI, or the parameter, that is wrong. */
  refusals: {
    tenant_id: TenantId
    /** `step`, `code` and `differs` together. */
    kind: string
    /** `start`, `callback` or `exchange`. */
    step: RefusalStep
    /** The error code that the browser got, or the `error_code` of the failed login. */
    code: RefusalCode
    /**
     * The part by which the redirect URI is not registered, or the wrong parameter of the login
     * link; otherwise null.
     */
    differs: Refusal['differs']
    /** The newest redirect URI that was refused, without user name, query and fragment. */
    sent: string | null
    /** The registered callback URL most similar to it. */
    closest: string | null
    /** How often. */
    count: number
    /** The first time. */
    first_at: number
    /** The last time. */
    last_at: number
  }
}
