import { type Credentials, writeCredentialsFile } from '@gatehouse/contract'
import { type Examples, SAMPLE } from './example.ts'

const guest: Credentials = {
  base_url: 'https://base-url.invalid',
  tenant_id: SAMPLE.tenantId,
  coh_management_key: SAMPLE.managementKey,
  coh_application_key: SAMPLE.applicationKey,
  expires_at: '2026-11-18T12:00:00.000Z',
  tenant_lifecycle: 'ephemeral',
  runtime_profile: 'v1-1',
}
const owned: Credentials = { ...guest, expires_at: null, tenant_lifecycle: 'claimed' }

/** The file checks what it is given, and `{base_url}` is no address yet. */
const fileOf = (credentials: Credentials) => ({
  filename: '.service' as const,
  content: writeCredentialsFile(credentials).replace(credentials.base_url, '{base_url}'),
})

const newTenant = (credentials: Credentials) => ({
  tenant_id: SAMPLE.tenantId,
  coh_management_key: SAMPLE.managementKey,
  coh_application_key: SAMPLE.applicationKey,
  status: credentials.tenant_lifecycle,
  expires_at: credentials.expires_at,
  tenant_lifecycle: credentials.tenant_lifecycle,
  runtime_profile: 'v1-1' as const,
  base_url: '{base_url}',
  credentials_file: fileOf(credentials),
})

export const tenantExamples: Examples<
  'createGuestTenant' | 'readStatus' | 'bootstrapTenant' | 'requestClaim' | 'waitForClaim'
> = {
  createGuestTenant: { body: {}, answer: newTenant(guest) },
  bootstrapTenant: {
    body: { confirmed: true, idempotency_key: 'notes-app-2026' },
    answer: newTenant(owned),
  },
  readStatus: {
    answer: {
      tenant_id: SAMPLE.tenantId,
      status: 'ephemeral',
      lifecycle: 'ephemeral',
      created_at: '2026-11-15T12:00:00.000Z',
      expires_at: '2026-11-18T12:00:00.000Z',
      seconds_left: 258_600,
      runtime_profile: 'v1-1',
      tier: 'ephemeral',
      pause_reason: null,
      resources: [{ resource: 'social-login', status: 'active' }],
      usage: {
        stored_users: { used: 1, limit: 1_000 },
        events_this_minute: { used: 0, limit: 5 },
        events_this_month: { used: 2, limit: null },
        events_lifetime: { used: 2, limit: 100 },
      },
      next_limit: { allowance: 'events_lifetime', used: 2, limit: 100, left: 98, warning: null },
      claim: { url_endpoint: '{base_url}/api/claim/url' },
    },
  },
  requestClaim: {
    body: {},
    answer: {
      tenant_id: SAMPLE.tenantId,
      approval_url: '{base_url}/c/EXAMPLE',
      confirmation_code: 'K7QD',
      expires_at: '2026-11-15T12:30:00.000Z',
      tenant_expires_at: '2026-11-18T12:00:00.000Z',
      wait: {
        url: '{base_url}/api/wait',
        token: SAMPLE.waitToken,
        auth_header: `Bearer ${SAMPLE.waitToken}`,
        expires_at: '2026-11-15T12:35:00.000Z',
        interval_seconds: 1,
      },
    },
  },
  waitForClaim: {
    query: { timeout: 0 },
    answer: {
      status: 'pending',
      tenant_id: SAMPLE.tenantId,
      next: 'Nobody has decided yet. Call again; the person opens the approval_url and compares the confirmation code.',
    },
  },
}
