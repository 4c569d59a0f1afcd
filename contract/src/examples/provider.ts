import { SAMPLE } from './sample.ts'

const login_url = `{base_url}/edge/auth/${SAMPLE.tenantId}/google`

export const SAMPLE_PROVIDER = {
  name: 'google',
  mode: 'own',
  client_id: SAMPLE.providerClientId,
  redirect_uri: '{base_url}/auth/google/callback',
  status: 'pending',
  tested_at: null,
  login_url,
  in_use: { mode: 'shared', client_id: null },
} as const
