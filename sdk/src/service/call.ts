import type { ApiRequest, ApiResponse, Send } from './send.ts'

/** Calls an endpoint of the app's users. */
export type ApiCall = (
  operation: 'token' | 'verify' | 'refresh' | 'logout',
  body: object,
  options?: Pick<ApiRequest, 'headers' | 'signal'>,
) => Promise<ApiResponse>

export const createApiCall =
  (send: Send, authPath: string): ApiCall =>
  (operation, body, options) =>
    send({ ...options, method: 'POST', path: `${authPath}/${operation}`, body: JSON.stringify(body) })
