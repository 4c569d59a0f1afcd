import { Refusal } from '../../domain/api-error.ts'
import { statusAt } from '../../domain/tenants/tenant.ts'
import { signOut } from '../../operations/accounts/sign-out.ts'
import { decideClaim, type ClaimOutcome as Outcome } from '../../operations/claims/decide-claim.ts'
import { type ClaimFacts, claimUnknown, findClaim, readClaim } from '../../operations/claims/read-claim.ts'
import { accountSecret, forgetAccount, type SignedInOwner, signedInOwner } from '../callers/account-session.ts'
import { type CookieKind, readSecretCookie, setSecretCookie } from '../callers/cookies.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import type { App, Call, Surface } from '../dependencies.ts'
import { landOn } from '../edge/redirect-to.ts'
import { readForm } from '../request/body.ts'
import { page } from '../respond.ts'
import { signInAndReturn } from './account.ts'
import { type ClaimOutcome, claimOutcomePage } from './claim-outcome-page.ts'
import { claimPage } from './claim-page.ts'
import { ACCOUNT_FORMS, pageRoute } from './form.ts'

/**
 * Approving a claim link takes ownership, and links are pasted into chats. Opening `/c/<token>` therefore moves the token
 * into a cookie and redirects to `/claim/<id>`, which shows nothing without the cookie: no later URL, referrer or history
 * entry contains the token. A link can't be opened in one browser and approved in another.
 *
 * The opposite attack is to send a victim a link to the attacker's own project ("attacker starts, victim approves"). So
 * opening the link and signing in change nothing: the page shows what would be claimed, who keeps the keys and the
 * confirmation code that the agent printed, and only the session that was shown the claim can approve it.
 */
const CLAIM: CookieKind = { name: 'gatehouse_claim', seconds: 30 * 60 }
const PATH = '/claim/:claimId'

const STATUS: Record<Outcome | 'gone', number> = {
  approved: 200,
  denied: 200,
  already: 409,
  superseded: 410,
  expired: 410,
  gone: 410,
}

export function claimPageRoutes(app: App, surface: Surface): void {
  const { ctx } = surface

  pageRoute(app, surface, 'GET', '/c/:token', async (c) => {
    const token = c.req.param('token') ?? ''
    const claim = await findClaim(ctx, token)
    setSecretCookie(c, ctx.baseUrl, CLAIM, token)
    return landOn(c, `${ctx.baseUrl}/claim/${claim.id}`)
  })

  pageRoute(app, surface, 'GET', PATH, async (c) => {
    const facts = await viewedClaim(surface, c)
    return show(surface, c, facts, await signedInOwner(ctx, c))
  })

  pageRoute(app, surface, 'POST', `${PATH}/sign-in`, async (c) => {
    requireSameOrigin(c, ctx.baseUrl)
    const { claim } = await viewedClaim(surface, c)
    return signInAndReturn(surface, c, `/claim/${claim.id}`)
  })

  pageRoute(app, surface, 'POST', `${PATH}/switch`, async (c) => {
    const { facts, owner } = await viewersPost(surface, c)
    if (owner !== null) await signOut(ctx, accountSecret(c, ctx.baseUrl))
    forgetAccount(c, ctx.baseUrl)
    return signInAndReturn(surface, c, `/claim/${facts.claim.id}`)
  })

  pageRoute(app, surface, 'POST', `${PATH}/decide`, async (c) => {
    const { facts, owner, form } = await viewersPost(surface, c)
    const decision = form.get('decision')
    if (owner === null) return c.redirect(`/claim/${facts.claim.id}`, 303)
    if (decision !== 'approve' && decision !== 'deny') throw new Refusal('invalidRequest', 'Press Approve or Deny.')
    const outcome = await decideClaim(ctx, {
      token: claimToken(surface, c),
      account: owner.session.account,
      approve: decision === 'approve',
    })
    return showOutcome(surface, c, await viewedClaim(surface, c), owner, outcome)
  })
}

const claimToken = ({ ctx }: Surface, c: Call): string => {
  const token = readSecretCookie(c, ctx.baseUrl, CLAIM)
  if (token === null) throw claimUnknown()
  return token
}

/** The claim this browser opened the link of. Its number alone shows nothing. */
async function viewedClaim(surface: Surface, c: Call): Promise<ClaimFacts> {
  const facts = await readClaim(surface.ctx, claimToken(surface, c))
  if (String(facts.claim.id) !== c.req.param('claimId')) throw claimUnknown()
  return facts
}

const about = ({ claim }: ClaimFacts): string => `claim:${claim.id}`

/** A decision counts only from the session that was shown this claim: its token is made for the two together. */
async function viewersPost(surface: Surface, c: Call) {
  requireSameOrigin(c, surface.ctx.baseUrl)
  const form = await readForm(c)
  const facts = await viewedClaim(surface, c)
  const owner = await signedInOwner(surface.ctx, c)
  owner?.requireCsrf(form.get('csrf') ?? '', about(facts))
  return { form, facts, owner }
}

async function show(surface: Surface, c: Call, facts: ClaimFacts, owner: SignedInOwner | null): Promise<Response> {
  const { claim, tenant, standing } = facts
  const now = surface.ctx.now()
  if (standing !== 'pending' || tenant.claimedAt !== null || statusAt(tenant, now) === 'expired') {
    return showOutcome(
      surface,
      c,
      facts,
      owner,
      standing === 'pending' || standing === 'approved' ? 'already' : standing,
    )
  }
  const html = claimPage({
    now,
    csrf: owner?.csrf(about(facts)) ?? '',
    tenantId: tenant.id,
    createdAt: tenant.createdAt,
    expiresAt: tenant.expiresAt ?? now,
    callbackHosts: facts.callbackHosts,
    people: facts.people,
    signIns: facts.signIns,
    paused: tenant.pausedAt !== null,
    confirmationCode: claim.confirmationCode,
    viewer:
      owner === null
        ? { signedIn: false, signInAction: `/claim/${claim.id}/sign-in` }
        : {
            signedIn: true,
            person: owner.session.account,
            decideAction: `/claim/${claim.id}/decide`,
            switchAction: `/claim/${claim.id}/switch`,
          },
  })
  return page(c, html, 200, surface.providerOrigins)
}

function showOutcome(
  { ctx }: Surface,
  c: Call,
  { tenant }: ClaimFacts,
  owner: SignedInOwner | null,
  outcome: Outcome,
): Response {
  const now = ctx.now()
  const gone = tenant.claimedAt === null && statusAt(tenant, now) === 'expired'
  const html = claimOutcomePage(gone ? { outcome: 'gone', tenantId: tenant.id } : describe())
  return page(c, html, STATUS[gone ? 'gone' : outcome])

  function describe(): ClaimOutcome {
    const tenantId = tenant.id
    switch (outcome) {
      case 'approved':
        return { outcome, tenantId, csrf: owner?.csrf(ACCOUNT_FORMS) ?? '' }
      case 'denied':
        return { outcome, tenantId, expiresAt: tenant.expiresAt ?? now, now }
      case 'already':
        return { outcome, tenantId, byYou: tenant.owner?.accountId === owner?.session.account.id }
      default:
        return { outcome, tenantId }
    }
  }
}
