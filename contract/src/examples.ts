import { type Credentials, credentialsText } from './credentials-file.ts'

/** Values for examples. The test that sends every example replaces them with real ones. */
export const SAMPLE = {
  tenantId: 'swift-fox-running-k3qd7',
  managementKey: 'svc_man_000000000000000000000000000000000000EXAMPL',
  applicationKey: 'svc_app_000000000000000000000000000000000000EXAMPL',
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE',
  refreshToken: 'svc_rt_EXAMPLE',
  idToken: 'eyJhbGciOiJFUzI1NiJ9.EXAMPLE.EXAMPLE',
  loginCode: 'svc_ac_EXAMPLE',
  linkToken: 'EXAMPLE.EXAMPLE',
  codeVerifier: 'EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA',
  waitToken: 'svc_wt_EXAMPLE',
  edgeToken: 'svc_es_EXAMPLE',
  invitationId: 'inv_EXAMPLEEXAMPLE00',
  invitation: 'svc_in_EXAMPLE',
  webhookId: 'wh_EXAMPLEEXAMPLE00',
  webhookUrl: 'https://app.example.com/webhooks/gatehouse',
  webhookSecret: 'whsec_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAM',
  providerClientId: '1234567890-example.apps.googleusercontent.com',
  providerSecret: 'GOCSPX-EXAMPLE',
  callbackUrl: 'http://localhost:3000/auth/callback',
} as const

export const SAMPLE_USER = {
  id: 1,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  picture: 'https://lh3.googleusercontent.com/a/ada',
} as const

/** `SAMPLE_USER` in a list. */
export const SAMPLE_LISTED_USER = {
  ...SAMPLE_USER,
  first_seen: '2026-11-15T12:01:00.000Z',
  last_seen: '2026-11-15T12:01:00.000Z',
} as const

const guest: Credentials = {
  base_url: '{base_url}',
  tenant_id: SAMPLE.tenantId,
  coh_management_key: SAMPLE.managementKey,
  coh_application_key: SAMPLE.applicationKey,
  expires_at: '2026-11-18T12:00:00.000Z',
  tenant_lifecycle: 'ephemeral',
  runtime_profile: 'v1-1',
}

const credentialsFile = (credentials: Credentials) => ({
  filename: '.service' as const,
  content: credentialsText(credentials),
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
  credentials_file: credentialsFile(credentials),
})

export const NEW_GUEST = newTenant(guest)
export const NEW_OWNED_TENANT = newTenant({
  ...guest,
  expires_at: null,
  tenant_lifecycle: 'claimed',
})
