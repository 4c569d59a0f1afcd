import { changeWebhook as changeWebhookEndpoint, replayWebhook as replayWebhookEndpoint } from '@gatehouse/contract'
import { replayWebhook } from '../../../../../operations/webhooks/deliveries.ts'
import {
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../../../../../operations/webhooks/endpoints.ts'
import { ownerAuthor } from '../../../../callers/author.ts'
import { keepForDisplay } from '../../../../callers/shown-secret-cookie.ts'
import type { App, Call, HttpDependencies } from '../../../../dependencies.ts'
import { parseBody } from '../../../../mount-endpoint.ts'
import { accountPaths } from '../../../paths.ts'
import { projectPost } from '../../project-route.ts'
import { formHandler, numberField, type ShowAgain } from '../section-form.ts'
import { readWebhookFields } from './webhook-fields.ts'
import { secretOf } from './webhook-secret.ts'

/** The forms on the page of an endpoint. Each calls the operation of the API. */
export function webhookActionRoutes(app: App, deps: HttpDependencies, show: ShowAgain): void {
  const { ctx } = deps
  const idOf = (c: Call): string => c.req.param('webhookId') ?? ''
  const done = (c: Call, tenantId: string, message: string): string =>
    `${accountPaths.webhook(tenantId, idOf(c))}?done=${message}`

  projectPost(
    app,
    deps,
    '/settings/webhooks/:webhookId/change',
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
    '/settings/webhooks/:webhookId/status',
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
    '/settings/webhooks/:webhookId/test',
    formHandler('test', show, async (c, { tenant }) => {
      await testWebhook(ctx, tenant, idOf(c))
      return done(c, tenant.id, 'tested')
    }),
  )

  projectPost(
    app,
    deps,
    '/settings/webhooks/:webhookId/rotate',
    formHandler('rotate', show, async (c, { owner, tenant }) => {
      const { secret } = await rotateWebhookSecret(ctx, tenant, idOf(c), ownerAuthor(c, owner))
      keepForDisplay(ctx, c, owner, secretOf(tenant.id, idOf(c)), secret)
      return done(c, tenant.id, 'rotated')
    }),
  )

  projectPost(
    app,
    deps,
    '/settings/webhooks/:webhookId/replay',
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
    '/settings/webhooks/:webhookId/delete',
    formHandler('delete', show, async (c, { owner, tenant }) => {
      await deleteWebhook(ctx, tenant, idOf(c), ownerAuthor(c, owner))
      return `${accountPaths.settings(tenant.id)}?done=webhook-deleted#webhooks`
    }),
  )
}
