import { loginUrl } from '../endpoints/sessions.ts'
import { SAMPLE } from './sample.ts'

export const SAMPLE_RESOURCE = {
  login_url: loginUrl('{base_url}', SAMPLE.tenantId),
  callback_urls: [SAMPLE.callbackUrl],
  events_table: 'social_login_events',
  events_endpoint: '{base_url}/api/social-login/events',
} as const

export const SAMPLE_RESOURCE_RESULT = { resource: 'social-login', status: 'active', ...SAMPLE_RESOURCE } as const

export const SAMPLE_EVENT = {
  id: 1,
  event: 'login_started',
  user_id: null,
  email: null,
  redirect_uri: SAMPLE.callbackUrl,
  return_to: null,
  metadata: {},
  created_at_ms: 1_794_744_060_000,
} as const
