import { API_ERRORS, FeedbackText, leaveFeedback as leaveFeedbackEndpoint } from '@gatehouse/contract'
import { ApiError } from '../../../domain/api-error.ts'
import { leaveFeedback } from '../../../operations/feedback.ts'
import { listOwnedTenants, requireOwnedTenant } from '../../../operations/tenants/require-tenant.ts'
import { ACCOUNT_FORMS, type OwnerPost, ownerPost, pageRoute } from '../../account/form.ts'
import { type SignedInOwner, signedInOwner } from '../../callers/account-session.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { page } from '../../responses.ts'
import { FEEDBACK_PATH, type FeedbackForm, feedbackPage } from './feedback-page.ts'

/** Feedback from the web: the operation and the limits of `POST /api/feedback/service`, for a project of the owner. */
export function feedbackPageRoutes(app: App, deps: HttpDependencies): void {
  const { ctx, operator } = deps

  pageRoute(app, deps, 'GET', FEEDBACK_PATH, async (c) => {
    const owner = await signedInOwner(ctx, c)
    if (owner !== null) return show(c, owner, { sent: c.req.query('done') === 'sent' })
    return page(c, feedbackPage({ operator, baseUrl: ctx.baseUrl, form: null }), 200, deps.providerOrigins)
  })

  ownerPost(app, deps, FEEDBACK_PATH, send, { maxBytes: leaveFeedbackEndpoint.bodyMaxBytes })

  async function send(c: Call, { owner, form }: OwnerPost): Promise<Response> {
    const project = form.get('project') ?? ''
    const text = form.get('feedback') ?? ''
    const tenant = await requireOwnedTenant(ctx, owner.session.account, project)
    const parsed = FeedbackText.safeParse(text)
    if (!parsed.success) {
      return show(c, owner, { project, text, problem: parsed.error.issues[0]?.message ?? '' }, 400)
    }
    try {
      await leaveFeedback(ctx, tenant, parsed.data)
    } catch (error) {
      // The text would be lost on an error page.
      if (!(error instanceof ApiError)) throw error
      return show(c, owner, { project, text, problem: error.message }, API_ERRORS[error.code].status)
    }
    return c.redirect(`${FEEDBACK_PATH}?done=sent`, 303)
  }

  async function show(c: Call, owner: SignedInOwner, changes: Partial<FeedbackForm>, status = 200): Promise<Response> {
    const projects = (await listOwnedTenants(ctx, owner.session.account)).map(({ id }) => id)
    const form = {
      csrf: owner.csrf(ACCOUNT_FORMS),
      projects,
      text: '',
      project: null,
      problem: null,
      sent: false,
      ...changes,
    }
    return page(c, feedbackPage({ operator, baseUrl: ctx.baseUrl, form }), status)
  }
}
