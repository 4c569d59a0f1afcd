import { encoded, type HttpRequest, type Work } from '../work.ts'

/** A session that can be refreshed: its own address, and the token that is good for one use. */
export interface Refreshable {
  readonly path: string
  readonly refreshToken: string
}

export interface RefreshData {
  /** `json`: ours. `form`: a token endpoint of RFC 6749, section 6, with these fields more. */
  readonly dialect: 'json' | 'form'
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly sessions: readonly Refreshable[]
}

/**
 * Every session in its turn, each time with the token that it got the last time. A token that was not rotated, or one
 * that does not work the next time, is a wrong answer.
 */
export function work(data: unknown, host: string): Work {
  const { dialect, form = {}, headers = {}, sessions } = data as RefreshData
  const tokens = sessions.map(({ refreshToken }) => refreshToken)
  const current: number[] = []
  let cursor = 0
  const requestOf = (path: string, token: string): HttpRequest =>
    dialect === 'json'
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
          body: new URLSearchParams({ grant_type: 'refresh_token', ...form, refresh_token: token }).toString(),
        }
  return {
    next(lane) {
      const index = cursor++ % sessions.length
      current[lane] = index
      return encoded(requestOf(sessions[index]?.path ?? '', tokens[index] ?? ''), host)
    },
    problem(lane, { status, body }) {
      const index = current[lane] ?? -1
      const text = body.toString()
      if (status !== 200) return `a refresh was answered ${status}: ${text.slice(0, 500)}`
      const { access_token: access, refresh_token: refresh } = JSON.parse(text) as Record<string, unknown>
      if (typeof access !== 'string' || typeof refresh !== 'string') return `no pair: ${text.slice(0, 500)}`
      if (refresh === tokens[index]) return 'the refresh token was not rotated'
      tokens[index] = refresh
      return null
    },
  }
}
