import { type Credentials, writeCredentialsFile } from '../credentials-file.ts'
import { SAMPLE } from './sample.ts'

const guest: Credentials = {
  base_url: 'https://base-url.invalid',
  tenant_id: SAMPLE.tenantId,
  coh_management_key: SAMPLE.managementKey,
  coh_application_key: SAMPLE.applicationKey,
  expires_at: '2026-11-18T12:00:00.000Z',
  tenant_lifecycle: 'ephemeral',
  runtime_profile: 'v1-1',
}

/** Replaces `{base_url}` afterwards, because `writeCredentialsFile` accepts only a valid URL. */
const credentialsFile = (credentials: Credentials) => ({
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
  credentials_file: credentialsFile(credentials),
})

export const NEW_GUEST = newTenant(guest)
export const NEW_OWNED_TENANT = newTenant({ ...guest, expires_at: null, tenant_lifecycle: 'claimed' })
