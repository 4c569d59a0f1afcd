import { EVENTS_TABLE, loginUrl } from '@gatehouse/contract'
import { type Examples, SAMPLE, SAMPLE_USER } from './example.ts'

const resource = {
  login_url: loginUrl('{base_url}', SAMPLE.tenantId),
  callback_urls: [SAMPLE.callbackUrl],
  events_table: EVENTS_TABLE as typeof EVENTS_TABLE,
  events_endpoint: '{base_url}/api/social-login/events',
}
const provisioned = { resource: 'social-login', status: 'active', ...resource } as const
const user = { ...SAMPLE_USER, first_seen: '2026-11-15T12:01:00.000Z', last_seen: '2026-11-15T12:01:00.000Z' }

export const socialLoginExamples: Examples<
  | 'provisionSocialLogin'
  | 'removeSocialLogin'
  | 'listResources'
  | 'provisionResources'
  | 'listUsers'
  | 'getUser'
  | 'listEvents'
> = {
  provisionSocialLogin: { body: { callback_urls: [SAMPLE.callbackUrl] }, answer: resource },
  removeSocialLogin: { answer: { success: true, resource: 'social-login', status: 'deleted' } },
  listResources: { answer: { resources: [provisioned] } },
  provisionResources: {
    body: {
      resources: ['social-login'],
      configurations: { 'social-login': { callback_urls: [SAMPLE.callbackUrl] } },
    },
    answer: { resources: [provisioned] },
  },
  listUsers: { query: { limit: 100 }, answer: { users: [user] } },
  getUser: { params: { id: '1' }, answer: { user } },
  listEvents: {
    query: { after: 0, limit: 50 },
    answer: {
      events: [
        {
          id: 1,
          event: 'login_started',
          user_id: null,
          email: null,
          redirect_uri: SAMPLE.callbackUrl,
          return_to: null,
          metadata: {},
          created_at_ms: 1_794_744_060_000,
        },
      ],
    },
  },
}
