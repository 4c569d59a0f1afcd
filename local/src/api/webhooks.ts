import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
  type Webhook as WebhookSchema,
} from '@gatehouse/contract'
import type { z } from 'zod'
import type { Project } from '../credentials/project.ts'
import { manage } from './tenants.ts'

export type Webhook = z.infer<typeof WebhookSchema>

/** A test delivery may take as long as the service waits for the endpoint. */
const TEST_TIMEOUT_MS = 15_000

const named = (webhookId: string) => ({ params: { webhookId } })

export const findWebhooks = async (project: Project): Promise<Webhook[]> =>
  (await manage(project, listWebhooks)).webhooks

export const addWebhook = (project: Project, url: string) => manage(project, createWebhook, { body: { url } })

export const setWebhookStatus = async (project: Project, id: string, status: Webhook['status']): Promise<Webhook> =>
  (await manage(project, changeWebhook, { ...named(id), body: { status } })).webhook

export const tryWebhook = (project: Project, id: string) =>
  manage(project, testWebhook, { ...named(id), extraTimeoutMs: TEST_TIMEOUT_MS })

export const replaceWebhookSecret = (project: Project, id: string) => manage(project, rotateWebhookSecret, named(id))

export const removeWebhook = (project: Project, id: string) => manage(project, deleteWebhook, named(id))
