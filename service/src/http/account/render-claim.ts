import type { Account } from '../../domain/accounts/account.ts'
import { statusAt } from '../../domain/tenants/tenant.ts'
import {
  type ClaimDetails,
  type ClaimOutcome as Outcome,
  readApprovedClaim,
} from '../../operations/claims/decide-claim.ts'
import type { SignedInOwner } from '../callers/account-session.ts'
import type { Call, HttpDependencies } from '../dependencies.ts'
import { inLanguage, type Language } from '../pages/languages/language.ts'
import { page } from '../responses.ts'
import { type ClaimOutcome, claimOutcomePage } from './claim-outcome-page.ts'
import { claimPage } from './claim-page.ts'
import { ACCOUNT_FORMS } from './form.ts'
import { showClaimedKeys } from './projects/keys/new-key-file.ts'

const STATUS: Record<Exclude<Outcome, 'approved'> | 'ended', number> = {
  denied: 200,
  already: 409,
  superseded: 410,
  expired: 410,
  ended: 410,
}

/** What the CSRF tokens of a claim page are bound to. */
export const csrfPurpose = ({ claim }: ClaimDetails): string => `claim:${claim.id}`

/** The decision, or its result, or why the link can no longer be decided. */
export async function renderClaim(
  deps: HttpDependencies,
  c: Call,
  facts: ClaimDetails,
  owner: SignedInOwner | null,
  language: Language,
): Promise<Response> {
  const { claim, tenant, status } = facts
  const now = deps.ctx.now()
  if (owner !== null && isApprovedBy(facts, owner.session.account))
    return renderApproved(deps, c, facts, owner, language)
  if (status !== 'pending' || tenant.claimedAt !== null || statusAt(tenant, now) === 'expired') {
    const outcome = status === 'pending' || status === 'approved' ? 'already' : status
    return renderOutcome(deps, c, facts, owner, outcome, language)
  }
  const path = (action: string): string => inLanguage(language, `/claim/${claim.id}/${action}`)
  const html = claimPage({
    operator: deps.operator,
    language,
    now,
    csrf: owner?.csrf(csrfPurpose(facts)) ?? '',
    tenantId: tenant.id,
    createdAt: tenant.createdAt,
    expiresAt: tenant.expiresAt ?? now,
    callbackHosts: facts.callbackHosts,
    users: facts.users,
    signIns: facts.signIns,
    paused: tenant.pausedAt !== null,
    confirmationCode: claim.confirmationCode,
    viewer:
      owner === null
        ? { signedIn: false, signInAction: path('sign-in') }
        : {
            signedIn: true,
            person: owner.session.account,
            decideAction: path('decide'),
            switchAction: path('switch'),
          },
  })
  return page(c, html, 200, deps.providerOrigins)
}

const isApprovedBy = ({ claim, tenant }: ClaimDetails, { id }: Account): boolean =>
  claim.decision === 'approved' && claim.decidedBy === id && tenant.owner?.accountId === id

async function renderApproved(
  deps: HttpDependencies,
  c: Call,
  facts: ClaimDetails,
  owner: SignedInOwner,
  language: Language,
): Promise<Response> {
  const { newKeys, keptKeys, keyGeneration } = await readApprovedClaim(deps.ctx, facts, owner.secrets)
  if (newKeys !== null) return showClaimedKeys(deps, c, owner, newKeys)
  const csrf = owner.csrf(ACCOUNT_FORMS)
  const outcome = { outcome: 'approved', tenantId: facts.tenant.id, csrf, keptKeys, keyGeneration } as const
  return page(c, claimOutcomePage(outcome, deps.operator, language))
}

export function renderOutcome(
  { ctx, operator }: HttpDependencies,
  c: Call,
  { tenant }: ClaimDetails,
  owner: SignedInOwner | null,
  outcome: Exclude<Outcome, 'approved'>,
  language: Language,
): Response {
  const now = ctx.now()
  const ended = tenant.claimedAt === null && statusAt(tenant, now) === 'expired'
  const html = claimOutcomePage(ended ? { outcome: 'ended', tenantId: tenant.id } : describe(), operator, language)
  return page(c, html, STATUS[ended ? 'ended' : outcome])

  function describe(): ClaimOutcome {
    const tenantId = tenant.id
    switch (outcome) {
      case 'denied':
        return { outcome, tenantId, expiresAt: tenant.expiresAt ?? now, now }
      case 'already':
        return { outcome, tenantId, byYou: tenant.owner?.accountId === owner?.session.account.id }
      default:
        return { outcome, tenantId }
    }
  }
}
