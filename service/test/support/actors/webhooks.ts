import assert from 'node:assert/strict'
import type { Webhook } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import type { Tenant } from './agent.ts'

interface AddedWebhook {
  readonly id: string
  readonly secret: string
  readonly path: string
}

export async function addWebhook(
  tenant: Tenant,
  url: string,
  events?: readonly string[],
): Promise<AddedWebhook> {
  const { status, json, text } = await tenant.manage('POST', '/api/webhooks', {
    url,
    ...(events && { events }),
  })
  assert.equal(status, 201, text)
  return { id: json.webhook.id, secret: json.secret, path: `/api/webhooks/${json.webhook.id}` }
}

export const webhookOf = async (tenant: Tenant, path: string): Promise<z.infer<typeof Webhook>> =>
  (await tenant.manage('GET', path)).json.webhook
