import { EDGE_SESSION_SECONDS } from '@gatehouse/contract'
import { type Examples, SAMPLE, SAMPLE_USER } from './example.ts'

const params = { tenantId: SAMPLE.tenantId }

export const sessionExamples: Examples<
  'startLogin' | 'verifyAccessToken' | 'refreshSession' | 'logOut' | 'openEdgeSession' | 'readEdgeSession'
> = {
  startLogin: { params, query: { return_to: '/settings' }, answer: undefined },
  verifyAccessToken: {
    params,
    body: { access_token: SAMPLE.accessToken },
    answer: { valid: true, user: SAMPLE_USER },
  },
  refreshSession: {
    params,
    body: { refresh_token: SAMPLE.refreshToken },
    answer: { access_token: SAMPLE.accessToken, refresh_token: SAMPLE.refreshToken },
  },
  logOut: { params, body: { refresh_token: SAMPLE.refreshToken }, answer: { success: true } },
  openEdgeSession: {
    query: { key: SAMPLE.applicationKey },
    body: {},
    answer: { token: SAMPLE.edgeToken, token_type: 'Bearer', expires_in: EDGE_SESSION_SECONDS },
  },
  readEdgeSession: { answer: { tenant_id: SAMPLE.tenantId, expires_at: '2026-11-15T12:02:00.000Z' } },
}
