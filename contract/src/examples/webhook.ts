import { DEFAULT_WEBHOOK_EVENTS } from '../schemas/webhook.ts'
import { SAMPLE } from './sample.ts'

export const SAMPLE_WEBHOOK = {
  id: SAMPLE.webhookId,
  url: SAMPLE.webhookUrl,
  events: DEFAULT_WEBHOOK_EVENTS,
  status: 'active',
  disabled_reason: null,
  failing_since: null,
  cursor: 2,
  waiting_retries: 0,
  replay: null,
  created_at: '2026-11-15T12:05:00.000Z',
} as const
