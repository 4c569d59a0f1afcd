import { encodeRequest, type HttpRequest, type Workload } from '../workload.ts'

/** A session to refresh: its path, and its single-use refresh token. */
export interface Refreshable {
  readonly path: string
  readonly refreshToken: string
}

export interface RefreshData {
  /** `json`: our endpoint. `form`: a token endpoint as in RFC 6749, section 6, with the additional parameters in `form`. */
  readonly encoding: 'json' | 'form'
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly sessions: readonly Refreshable[]
}

/**
 * Refreshes all sessions in turn, each with the token of its previous response. A token that was not rotated or does not
 * work is a wrong response.
 */
export function workload(data: unknown, host: string): Workload {
  const { encoding, form = {}, headers = {}, sessions } = data as RefreshData
  const tokens = sessions.map(({ refreshToken }) => refreshToken)
  const current: number[] = []
  let cursor = 0
  const requestOf = (path: string, token: string): HttpRequest =>
    encoding === 'json'
      ? {
          method: 'POST',
          path,
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify({ refresh_token: token }),
        }
      : {
          method: 'POST',
          path,
          headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
          body: new URLSearchParams({
            grant_type: 'refresh_token',
            ...form,
            refresh_token: token,
          }).toString(),
        }
  return {
    next(connection) {
      const index = cursor++ % sessions.length
      current[connection] = index
      return encodeRequest(requestOf(sessions[index]?.path ?? '', tokens[index] ?? ''), host)
    },
    problem(connection, { status, body }) {
      const index = current[connection] ?? -1
      const text = body.toString()
      if (status !== 200) {
        return `a refresh returned ${status}: ${text.slice(0, 500)}`
      }
      const { access_token: access, refresh_token: refresh } = JSON.parse(text) as Record<
        string,
        unknown
      >
      if (typeof access !== 'string' || typeof refresh !== 'string') {
        return `no pair: ${text.slice(0, 500)}`
      }
      if (refresh === tokens[index]) {
        return 'the refresh token was not rotated'
      }
      tokens[index] = refresh
      return null
    },
  }
}
