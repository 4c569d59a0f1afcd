import { createWebhook as createWebhookEndpoint, WEBHOOK_DELIVERIES_KEPT } from '@gatehouse/contract'
import { isDelivered, type RecordedAttempt } from '../../../../../domain/webhooks/delivery.ts'
import { listWebhookDeliveries } from '../../../../../operations/webhooks/deliveries.ts'
import { createWebhook, readWebhook } from '../../../../../operations/webhooks/endpoints.ts'
import { ownerAuthor } from '../../../../callers/author.ts'
import { keepForDisplay, keptForDisplay } from '../../../../callers/shown-secret-cookie.ts'
import type { App, Call, HttpDependencies } from '../../../../dependencies.ts'
import { parseBody } from '../../../../mount-endpoint.ts'
import { scriptedPage } from '../../../../responses.ts'
import { accountPaths } from '../../../paths.ts'
import { type OwnedProject, projectPage, projectPost, readFrame } from '../../project-route.ts'
import type { RejectedForm } from '../form-state.ts'
import { formHandler, type ShowAgain } from '../section-form.ts'
import { resultOf } from './deliveries-table.ts'
import { webhookActionRoutes } from './webhook-actions.ts'
import { readWebhookFields } from './webhook-fields.ts'
import { webhookPage } from './webhook-page.ts'
import { secretOf } from './webhook-secret.ts'

/** Newest deliveries on the page. */
const SHOWN = 25

const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['added', 'Endpoint added. It gets the events from now on.'],
  ['saved', 'Endpoint saved.'],
  ['active', 'Endpoint enabled. What waited is sent now.'],
  ['disabled', 'Endpoint paused. Events wait until you enable it.'],
  ['rotated', 'Secret replaced.'],
  ['replayed', 'The events are being sent again.'],
])

/** The form that adds an endpoint, and the page of each. */
export function webhookRoutes(app: App, deps: HttpDependencies, showSettings: ShowAgain): void {
  const { ctx } = deps
  const show = (c: Call, project: OwnedProject, rejected: RejectedForm | null, status: number): Promise<Response> =>
    showWebhook(deps, c, project, rejected, status)

  projectPost(
    app,
    deps,
    '/settings/webhooks',
    formHandler(
      'webhook',
      showSettings,
      async (c, { owner, tenant, form }) => {
        const { url, events } = parseBody(createWebhookEndpoint.body, readWebhookFields(form))
        const { webhook, secret } = await createWebhook(ctx, tenant, { url, events }, ownerAuthor(c, owner))
        keepForDisplay(ctx, c, owner, secretOf(tenant.id, webhook.id), secret)
        return `${accountPaths.webhook(tenant.id, webhook.id)}?done=added`
      },
      { webhookUrlRefused: 'url' },
    ),
  )

  projectPage(app, deps, '/settings/webhooks/:webhookId', (c, project) => show(c, project, null, 200))

  webhookActionRoutes(app, deps, show)
}

async function showWebhook(
  deps: HttpDependencies,
  c: Call,
  project: OwnedProject,
  rejected: RejectedForm | null,
  status: number,
): Promise<Response> {
  const { ctx } = deps
  const { tenant, owner } = project
  const webhook = await readWebhook(ctx, tenant, c.req.param('webhookId') ?? '')
  const log = await listWebhookDeliveries(ctx, tenant, webhook.id, { after: 0, limit: WEBHOOK_DELIVERIES_KEPT })
  const deliveries = log.deliveries.reverse().slice(0, SHOWN)
  const secret = keptForDisplay(ctx, c, owner, secretOf(tenant.id, webhook.id))
  const frame = await readFrame(deps, project, rejected === null ? messageOf(c, deliveries) : undefined)
  return scriptedPage(c, webhookPage(frame, { webhook, deliveries, secret, rejected }), status)
}

/** The result of a test is in the log. */
function messageOf(c: Call, deliveries: readonly RecordedAttempt[]): string | undefined {
  const done = c.req.query('done') ?? ''
  const test = done === 'tested' ? deliveries.find(({ eventId }) => eventId === null) : undefined
  if (test === undefined) return MESSAGES.get(done)
  return `${isDelivered(test) ? 'The test was delivered' : 'The test failed'}: ${resultOf(test)}.`
}
