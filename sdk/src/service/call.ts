import type { ApiRequest, ApiResponse, Send } from './send.ts'

/** Calls an endpoint of the app's users. Without a body it is a GET. */
export type ApiCall = (
  operation: 'token' | 'verify' | 'refresh' | 'logout' | 'providers',
  body: object | null,
  options?: Pick<ApiRequest, 'headers' | 'signal'>,
) => Promise<ApiResponse>

export const createApiCall =
  (send: Send, authPath: string): ApiCall =>
  (operation, body, options) =>
    send({
      ...options,
      ...(body === null ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) }),
      path: `${authPath}/${operation}`,
    })
