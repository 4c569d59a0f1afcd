import { ApiError } from '../../domain/api-error.ts'
import { signOut } from '../../operations/accounts/account-session.ts'
import {
  type ClaimDetails,
  claimUnknown,
  decideClaim,
  findClaim,
  readClaim,
} from '../../operations/claims/decide-claim.ts'
import { accountCookie, deleteAccountCookie, signedInOwner } from '../callers/account-session.ts'
import { ownerAuthor } from '../callers/author.ts'
import { type CookieKind, readSecretCookie, setSecretCookie } from '../callers/cookies.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { redirectTo } from '../edge/redirect-to.ts'
import { inLanguage } from '../pages/languages/language.ts'
import { readForm } from '../request/body.ts'
import { signInAndReturn } from './account.ts'
import { CLAIM_KEY_CHOICES } from './claim-page.ts'
import { translatedRoute } from './form.ts'
import { readKeyChoice } from './key-choice.ts'
import { csrfPurpose, renderClaim, renderOutcome } from './render-claim.ts'

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

export function claimPageRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  translatedRoute(app, deps, 'GET', '/c/:token', async (c, language) => {
    const token = c.req.param('token') ?? ''
    const claim = await findClaim(ctx, token)
    setSecretCookie(c, ctx.baseUrl, CLAIM, token)
    return redirectTo(c, ctx.baseUrl + inLanguage(language, `/claim/${claim.id}`))
  })

  translatedRoute(app, deps, 'GET', PATH, async (c, language) => {
    const facts = await viewedClaim(deps, c)
    return renderClaim(deps, c, facts, await signedInOwner(ctx, c), language)
  })

  translatedRoute(app, deps, 'POST', `${PATH}/sign-in`, async (c, language) => {
    requireSameOrigin(c, ctx.baseUrl)
    const { claim } = await viewedClaim(deps, c)
    return signInAndReturn(deps, c, inLanguage(language, `/claim/${claim.id}`))
  })

  translatedRoute(app, deps, 'POST', `${PATH}/switch`, async (c, language) => {
    const { facts, owner } = await readViewerForm(deps, c)
    if (owner !== null) await signOut(ctx, accountCookie(c, ctx.baseUrl))
    deleteAccountCookie(c, ctx.baseUrl)
    return signInAndReturn(deps, c, inLanguage(language, `/claim/${facts.claim.id}`))
  })

  translatedRoute(app, deps, 'POST', `${PATH}/decide`, async (c, language) => {
    const { facts, owner, form } = await readViewerForm(deps, c)
    const decision = form.get('decision')
    const claimPath = inLanguage(language, `/claim/${facts.claim.id}`)
    if (owner === null) return c.redirect(claimPath, 303)
    if (decision !== 'approve' && decision !== 'deny') throw new ApiError('invalidRequest', 'Press Approve or Deny.')
    const outcome = await decideClaim(ctx, {
      token: claimToken(deps, c),
      account: owner.session.account,
      approve: decision === 'approve',
      keys: readKeyChoice(form, CLAIM_KEY_CHOICES),
      secrets: owner.secrets,
      author: ownerAuthor(c, owner),
    })
    // A reload of the result repeats a GET and not the decision.
    if (outcome === 'approved' || outcome === 'denied') return c.redirect(claimPath, 303)
    return renderOutcome(deps, c, await viewedClaim(deps, c), owner, outcome, language)
  })
}

const claimToken = ({ ctx }: HttpDependencies, c: Call): string => {
  const token = readSecretCookie(c, ctx.baseUrl, CLAIM)
  if (token === null) throw claimUnknown()
  return token
}

/** The claim whose link this browser opened. Its id alone shows nothing. */
async function viewedClaim(deps: HttpDependencies, c: Call): Promise<ClaimDetails> {
  const facts = await readClaim(deps.ctx, claimToken(deps, c))
  if (String(facts.claim.id) !== c.req.param('claimId')) throw claimUnknown()
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
