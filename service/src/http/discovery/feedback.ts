import * as endpoints from '@gatehouse-auth/contract'
import { FEEDBACK_MAX_CHARACTERS, FEEDBACK_PER_HOUR, FeedbackText } from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import { leaveFeedback } from '../../operations/tenants/feedback.ts'
import { listOwnedTenants, requireOwnedTenant } from '../../operations/tenants/require-tenant.ts'
import { type SignedInOwner, signedInOwner } from '../callers/sessions.ts'
import { signInForm } from '../console/account.ts'
import {
  ACCOUNT_FORMS,
  type OwnerPost,
  ownerPost,
  pageRoute,
  redirectRejected,
  rejectedForm,
  takeRejected,
} from '../console/form.ts'
import type { RejectedForm } from '../console/form-state.ts'
import { statusNotice } from '../console/layout.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { parseBody } from '../mount-endpoint.ts'
import { commandBlock } from '../pages/elements.ts'
import { hiddenFields, selectField } from '../pages/fields.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html, pageText } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { localTools } from '../pages/package-commands.ts'
import { page } from '../responses.ts'

/** Feedback from the web: the operation and the limits of `POST /api/feedback/service`, for a project of the owner. */
export function feedbackPageRoutes(app: App, deps: HttpDependencies): void {
  const { ctx, operator } = deps

  pageRoute(app, deps, 'GET', FEEDBACK_PATH, async (c) => {
    const owner = await signedInOwner(ctx, c)
    if (owner !== null) {
      return show(c, owner, takeRejected(deps, c, owner, FEEDBACK_PATH))
    }
    return page(
      c,
      feedbackPage({ operator, baseUrl: ctx.baseUrl, form: null }),
      200,
      deps.providerOrigins,
    )
  })

  ownerPost(app, deps, FEEDBACK_PATH, send, { maxBytes: endpoints.leaveFeedback.bodyMaxBytes })

  async function send(c: Call, { owner, form }: OwnerPost): Promise<Response> {
    const tenant = await requireOwnedTenant(ctx, owner.session.account, form.get('project') ?? '')
    try {
      await leaveFeedback(ctx, tenant, parseBody(FeedbackText, form.get('feedback') ?? ''))
    } catch (error) {
      // The text would be lost on an error page.
      if (!(error instanceof ApiError)) {
        throw error
      }
      const rejected = rejectedForm('feedback', form, error)
      return redirectRejected(deps, c, owner, FEEDBACK_PATH, rejected) ?? show(c, owner, rejected)
    }
    return c.redirect(`${FEEDBACK_PATH}?done=sent`, 303)
  }

  async function show(
    c: Call,
    owner: SignedInOwner,
    rejected: RejectedForm | null,
  ): Promise<Response> {
    const projects = (await listOwnedTenants(ctx, owner.session.account)).map(({ id }) => id)
    const form = {
      csrf: owner.csrf(ACCOUNT_FORMS),
      projects,
      text: rejected?.form.get('feedback') ?? '',
      project: rejected?.form.get('project') ?? null,
      problem: rejected === null ? null : (rejected.problems[0]?.problem ?? rejected.message),
      sent: rejected === null && c.req.query('done') === 'sent',
    }
    return page(c, feedbackPage({ operator, baseUrl: ctx.baseUrl, form }), rejected?.status ?? 200)
  }
}

const FEEDBACK_PATH = '/feedback'

interface FeedbackForm {
  readonly csrf: string
  /** The ids of the owner's projects. */
  readonly projects: readonly string[]
  /** What was typed, if it could not be sent. */
  readonly text: string
  readonly project: string | null
  readonly problem: string | null
  readonly sent: boolean
}

interface FeedbackPage {
  readonly operator: Operator
  readonly baseUrl: string
  /** null: the visitor is not signed in. */
  readonly form: FeedbackForm | null
}

/** `/feedback`: a message of a project to the operator, which the endpoint, the tool and the command also send. */
export const feedbackPage = ({ operator, baseUrl, form }: FeedbackPage): Html =>
  layout({
    kind: 'reading',
    operator,
    title: 'Feedback',
    head: html`<meta name="description" content="Tell the operator of this service what works and what doesn’t.">`,
    body: TEXT({
      status: form?.sent && statusNotice('Sent. Thank you.'),
      form: formOrReason(form),
      command: commandBlock(
        'Command: send feedback',
        `${localTools(baseUrl)} feedback 'The quick start worked the first time.'`,
      ),
    }),
  })

function formOrReason(form: FeedbackPage['form']): Html {
  if (form === null) {
    return SIGN_IN
  }
  return form.projects.length === 0 ? NO_PROJECT : messageForm(form)
}

const TEXT = pageText('feedback')

const SIGN_IN = html`<p>Feedback belongs to a project, so sign in with the account that owns it.</p>
${signInForm(FEEDBACK_PATH)}`

const NO_PROJECT = html`<p class="notice">You own no project yet. Start with the <a href="/docs/quick-start">quick start</a>, or claim the one that your agent created.</p>`

const messageForm = ({ csrf, projects, text, project, problem }: FeedbackForm): Html => html`
<form class="stacked" method="post" action="${FEEDBACK_PATH}">
  ${hiddenFields({ csrf })}
  ${projects.length === 1 ? hiddenFields({ project: projects[0] }) : projectChoice(projects, project)}
  <label for="feedback">Your message</label>
  <textarea id="feedback" name="feedback" rows="8" required maxlength="${FEEDBACK_MAX_CHARACTERS}"${
    problem !== null && html` aria-invalid="true" aria-describedby="problem"`
  }>
${text}</textarea>
  ${problem !== null && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
  <p class="small-print">At most ${FEEDBACK_MAX_CHARACTERS.toLocaleString('en')} characters, and ${FEEDBACK_PER_HOUR} messages an hour. Don’t put keys or tokens in it.</p>
  <div class="actions"><button>Send</button></div>
</form>`

const projectChoice = (projects: readonly string[], chosen: string | null): Html =>
  html`<label for="project">About the project</label>${selectField('project', Object.fromEntries(projects.map((id) => [id, id])), chosen ?? '')}`
