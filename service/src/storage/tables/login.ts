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
    id: AttemptId
    tenant_id: TenantId
    redirect_uri: string
    return_to: string | null
    provider: ProviderName
    /** The owner's client that it began with; null: the operator's. */
    provider_client_id: ProviderClientId | null
    browser_hash: string
    challenge: string | null
    invitation_id: InvitationId | null
    /** The session whose user adds an identity; null: a sign-in. */
    link_session_id: SessionId | null
    /** 1: the provider was asked to show its account chooser. */
    chooser: number
    /** 1: the consent page says that Continue is remembered. */
    remember: number
    stage: AttemptStage
    /** The user's profile and Workspace, from *identified* to *decided*; all six are null otherwise. */
    hosted_domain: string | null
    issuer: string | null
    subject: string | null
    email: string | null
    name: string | null
    picture: string | null
    /** These two are set by the decision. */
    outcome: LoginOutcome | null
    decided_at: number | null
    /** The session that the decision started. */
    session_id: SessionId | null
    created_at: number
    expires_at: number
  }
  login_codes: {
    tenant_id: TenantId
    hash: string
    resource_id: ResourceId
    user_id: UserId
    challenge: string
    redirect_uri: string
    wrong_verifiers: number
    used_at: number | null
    /** The session that the exchange started. */
    session_id: SessionId | null
    expires_at: number
  }
  /** A press of Continue that is remembered. */
  consents: {
    tenant_id: TenantId
    resource_id: ResourceId
    user_id: UserId
    host: string
    provider: ProviderName
    browser_hash: string
    brand_hash: string
    at: number
  }
  invitations: {
    tenant_id: TenantId
    id: InvitationId
    /** Of the secret in its link. */
    hash: string
    email: string | null
    /** JSON. */
    claims: string
    uses: number
    used: number
    created_at: number
    expires_at: number
  }
  /** Refused sign-ins by kind: step, code and the part of the redirect URI, or the parameter, that is wrong. */
  refusals: {
    tenant_id: TenantId
    kind: string
    step: RefusalStep
    code: RefusalCode
    differs: Refusal['differs']
    sent: string | null
    closest: string | null
    count: number
    first_at: number
    last_at: number
  }
}
