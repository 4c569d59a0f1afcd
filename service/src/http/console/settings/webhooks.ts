import {
  changeWebhook as changeWebhookEndpoint,
  createWebhook as createWebhookEndpoint,
  replayWebhook as replayWebhookEndpoint,
  WEBHOOK_DELIVERIES_KEPT,
} from '@gatehouse/contract'
import { isDelivered, type RecordedAttempt } from '../../../domain/webhooks/delivery.ts'
import { listWebhookDeliveries, replayWebhook } from '../../../operations/webhooks/deliveries.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  readWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../../../operations/webhooks/endpoints.ts'
import { ownerAuthor } from '../../callers/author.ts'
import { keepForDisplay, keptForDisplay } from '../../callers/sessions.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { parseBody } from '../../mount-endpoint.ts'
import { scriptedPage } from '../../responses.ts'
import { accountPaths } from '../paths.ts'
import { type OwnedProject, projectPage, projectPost, readFrame } from '../projects/project-route.ts'
import type { RejectedForm } from './form-state.ts'
import { formHandler, numberField, type ShowAgain } from './section.ts'
import { readWebhookFields, resultOf, secretOf, webhookPage } from './webhook-page.ts'

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
    accountPaths.addWebhook,
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

  projectPage(app, deps, accountPaths.webhook, (c, project) => show(c, project, null, 200))

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

/** The forms on the page of an endpoint. Each calls the operation of the API. */
function webhookActionRoutes(app: App, deps: HttpDependencies, show: ShowAgain): void {
  const { ctx } = deps
  const idOf = (c: Call): string => c.req.param('webhookId') ?? ''
  const done = (c: Call, tenantId: string, message: string): string =>
    `${accountPaths.webhook(tenantId, idOf(c))}?done=${message}`

  projectPost(
    app,
    deps,
    accountPaths.changeWebhook,
    formHandler(
      'webhook',
      show,
      async (c, { owner, tenant, form }) => {
        const { url, events } = parseBody(changeWebhookEndpoint.body, readWebhookFields(form))
        await changeWebhook(ctx, tenant, idOf(c), { url, events, active: undefined }, ownerAuthor(c, owner))
        return done(c, tenant.id, 'saved')
      },
      { webhookUrlRefused: 'url' },
    ),
  )

  projectPost(
    app,
    deps,
    accountPaths.switchWebhook,
    formHandler('status', show, async (c, { owner, tenant, form }) => {
      const { status } = parseBody(changeWebhookEndpoint.body, { status: form.get('status') })
      const change = { url: undefined, events: undefined, active: status === 'active' }
      await changeWebhook(ctx, tenant, idOf(c), change, ownerAuthor(c, owner))
      return done(c, tenant.id, status ?? '')
    }),
  )

  projectPost(
    app,
    deps,
    accountPaths.testWebhook,
    formHandler('test', show, async (c, { tenant }) => {
      await testWebhook(ctx, tenant, idOf(c))
      return done(c, tenant.id, 'tested')
    }),
  )

  projectPost(
    app,
    deps,
    accountPaths.rotateWebhook,
    formHandler('rotate', show, async (c, { owner, tenant }) => {
      const { secret } = await rotateWebhookSecret(ctx, tenant, idOf(c), ownerAuthor(c, owner))
      keepForDisplay(ctx, c, owner, secretOf(tenant.id, idOf(c)), secret)
      return done(c, tenant.id, 'rotated')
    }),
  )

  projectPost(
    app,
    deps,
    accountPaths.replayWebhook,
    formHandler('replay', show, async (c, { owner, tenant, form }) => {
      const one = form.get('event_ids')
      const body = one === null ? { after: numberField(form.get('after')) } : { event_ids: [numberField(one)] }
      const { after = 0, until, event_ids: eventIds } = parseBody(replayWebhookEndpoint.body, body)
      const request = eventIds === undefined ? { after, until } : { eventIds }
      await replayWebhook(ctx, tenant, idOf(c), request, ownerAuthor(c, owner))
      return done(c, tenant.id, 'replayed')
    }),
  )

  projectPost(
    app,
    deps,
    accountPaths.deleteWebhook,
    formHandler('delete', show, async (c, { owner, tenant }) => {
      await deleteWebhook(ctx, tenant, idOf(c), ownerAuthor(c, owner))
      return `${accountPaths.settings(tenant.id)}?done=webhook-deleted#webhooks`
    }),
  )
}
