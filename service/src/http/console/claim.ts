import type { Account } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import { statusAt } from '../../domain/tenants/tenant.ts'
import { signOut } from '../../operations/accounts/account-session.ts'
import {
  type ClaimDetails,
  claimUnknown,
  decideClaim,
  findClaim,
  readApprovedClaim,
  readClaim,
} from '../../operations/claims/decide-claim.ts'
import { ownerAuthor } from '../callers/author.ts'
import { type CookieKind, readSecretCookie, setSecretCookie } from '../callers/cookies.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import {
  accountCookie,
  deleteAccountCookie,
  type SignedInOwner,
  signedInOwner,
} from '../callers/sessions.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { redirectTo } from '../edge/redirect-to.ts'
import { inLanguage, type Language } from '../pages/languages/language.ts'
import { readForm } from '../request/body.ts'
import { page } from '../responses.ts'
import { signInAndReturn } from './account.ts'
import { CLAIM_KEY_CHOICES, type ClaimOutcome, claimOutcomePage, claimPage } from './claim-page.ts'
import { ACCOUNT_FORMS, translatedRoute } from './form.ts'
import { readKeyChoice } from './key-choice.ts'
import { pathOf } from './paths.ts'
import { showClaimedKeys } from './projects/new-keys.ts'

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

const claimPaths = {
  link: '/c/:token',
  page: pathOf('/claim/:claimId'),
  /** POST only, from here on. */
  signIn: pathOf('/claim/:claimId/sign-in'),
  switch: pathOf('/claim/:claimId/switch'),
  decide: pathOf('/claim/:claimId/decide'),
} as const

export function claimPageRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  translatedRoute(app, deps, 'GET', claimPaths.link, async (c, language) => {
    const token = c.req.param('token') ?? ''
    const claim = await findClaim(ctx, token)
    setSecretCookie(c, ctx.baseUrl, CLAIM, token)
    return redirectTo(c, ctx.baseUrl + inLanguage(language, claimPaths.page(claim.id)))
  })

  translatedRoute(app, deps, 'GET', claimPaths.page.route, async (c, language) => {
    const facts = await viewedClaim(deps, c)
    return renderClaim(deps, c, { facts, owner: await signedInOwner(ctx, c), language })
  })

  translatedRoute(app, deps, 'POST', claimPaths.signIn.route, async (c, language) => {
    requireSameOrigin(c, ctx.baseUrl)
    const { claim } = await viewedClaim(deps, c)
    return signInAndReturn(deps, c, inLanguage(language, claimPaths.page(claim.id)))
  })

  translatedRoute(app, deps, 'POST', claimPaths.switch.route, async (c, language) => {
    const { facts, owner } = await readViewerForm(deps, c)
    if (owner !== null) {
      await signOut(ctx, accountCookie(c, ctx.baseUrl))
    }
    deleteAccountCookie(c, ctx.baseUrl)
    return signInAndReturn(deps, c, inLanguage(language, claimPaths.page(facts.claim.id)))
  })

  translatedRoute(app, deps, 'POST', claimPaths.decide.route, async (c, language) => {
    const { facts, owner, form } = await readViewerForm(deps, c)
    const decision = form.get('decision')
    const claimPath = inLanguage(language, claimPaths.page(facts.claim.id))
    if (owner === null) {
      return c.redirect(claimPath, 303)
    }
    if (decision !== 'approve' && decision !== 'deny') {
      throw new ApiError('invalidRequest', 'Press Approve or Deny.')
    }
    await decideClaim(ctx, {
      claim: facts.claim,
      account: owner.session.account,
      approve: decision === 'approve',
      keys: readKeyChoice(form, CLAIM_KEY_CHOICES),
      secrets: owner.secrets,
      author: ownerAuthor(c, owner),
    })
    // The page says what was decided, also if another decision came first: a reload or Back repeats no POST.
    return c.redirect(claimPath, 303)
  })
}

const claimToken = ({ ctx }: HttpDependencies, c: Call): string => {
  const token = readSecretCookie(c, ctx.baseUrl, CLAIM)
  if (token === null) {
    throw claimUnknown()
  }
  return token
}

/** The claim whose link this browser opened. Its id alone shows nothing. */
async function viewedClaim(deps: HttpDependencies, c: Call): Promise<ClaimDetails> {
  const facts = await readClaim(deps.ctx, claimToken(deps, c))
  if (String(facts.claim.id) !== c.req.param('claimId')) {
    throw claimUnknown()
  }
  return facts
}

/** Accepts a form only from the session that was shown this claim: the CSRF token is bound to both. */
async function readViewerForm(deps: HttpDependencies, c: Call) {
  requireSameOrigin(c, deps.ctx.baseUrl)
  const form = await readForm(c)
  const facts = await viewedClaim(deps, c)
  const owner = await signedInOwner(deps.ctx, c)
  owner?.requireCsrf(form.get('csrf') ?? '', csrfPurpose(facts))
  return { form, facts, owner }
}

type Rejection = Exclude<ClaimOutcome['outcome'], 'approved'>

const STATUS: Record<Rejection, number> = {
  denied: 200,
  already: 409,
  superseded: 410,
  expired: 410,
  ended: 410,
}

/** What the CSRF tokens of a claim page are bound to. */
const csrfPurpose = ({ claim }: ClaimDetails): string => `claim:${claim.id}`

/** A claim, and who looks at it. */
interface View {
  readonly facts: ClaimDetails
  readonly owner: SignedInOwner | null
  readonly language: Language
}

/** The decision, or its result, or why the link can no longer be decided. */
async function renderClaim(deps: HttpDependencies, c: Call, view: View): Promise<Response> {
  const { facts, owner, language } = view
  const { claim, tenant, status } = facts
  const now = deps.ctx.now()
  if (owner !== null && isApprovedBy(facts, owner.session.account)) {
    return renderApproved(deps, c, { ...view, owner })
  }
  if (status !== 'pending' || tenant.claimedAt !== null || statusAt(tenant, now) === 'expired') {
    // A newer link would not help if there is an owner.
    const isOwned =
      status === 'pending' ||
      status === 'approved' ||
      (status === 'superseded' && tenant.owner !== null)
    return renderOutcome(deps, c, view, isOwned ? 'already' : status)
  }
  const action = (path: (claimId: number) => string): string => inLanguage(language, path(claim.id))
  const html = claimPage({
    operator: deps.operator,
    language,
    now,
    csrf: owner?.csrf(csrfPurpose(facts)) ?? '',
    ...facts,
    viewer:
      owner === null
        ? { signedIn: false, signInAction: action(claimPaths.signIn) }
        : {
            signedIn: true,
            person: owner.session.account,
            decideAction: action(claimPaths.decide),
            switchAction: action(claimPaths.switch),
          },
  })
  return page(c, html, 200, deps.providerOrigins)
}

const isApprovedBy = ({ claim, tenant }: ClaimDetails, { id }: Account): boolean =>
  claim.decision === 'approved' && claim.decidedBy === id && tenant.owner?.accountId === id

async function renderApproved(
  deps: HttpDependencies,
  c: Call,
  { facts, owner, language }: View & { readonly owner: SignedInOwner },
): Promise<Response> {
  const { newKeys, ...kept } = await readApprovedClaim(deps.ctx, facts, owner.secrets)
  if (newKeys !== null) {
    return showClaimedKeys(deps, c, owner, newKeys)
  }
  const approved: ClaimOutcome = {
    outcome: 'approved',
    tenantId: facts.tenant.id,
    csrf: owner.csrf(ACCOUNT_FORMS),
    ...kept,
  }
  return page(c, claimOutcomePage(approved, deps.operator, language))
}

function renderOutcome(
  { ctx, operator }: HttpDependencies,
  c: Call,
  { facts: { tenant }, owner, language }: View,
  outcome: Rejection,
): Response {
  const now = ctx.now()
  const shown = tenant.claimedAt === null && statusAt(tenant, now) === 'expired' ? 'ended' : outcome
  const byYou = tenant.owner?.accountId === owner?.session.account.id
  const about = { tenantId: tenant.id, expiresAt: tenant.expiresAt ?? now, now, byYou }
  return page(c, claimOutcomePage({ outcome: shown, ...about }, operator, language), STATUS[shown])
}
