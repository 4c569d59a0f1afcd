import type { ApiRequest, ApiResponse, Send } from './send.ts'

/** Posts to an endpoint of the app's users. */
export type ApiCall = (
  operation: 'token' | 'verify' | 'refresh' | 'logout',
  body: object,
  options?: Pick<ApiRequest, 'headers' | 'signal'>,
) => Promise<ApiResponse>

export const createApiCall =
  (send: Send, authPath: string): ApiCall =>
  (operation, body, options) =>
    send({ ...options, method: 'POST', path: `${authPath}/${operation}`, body: JSON.stringify(body) })

/** Where a tenant's users sign in. */
export const authPathOf = (tenantId: string): string => `/edge/auth/${tenantId}`
