/** A request that needs no credential, and its expected status. A wrong status would measure something else. */
export interface AnonymousRequest {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status: number
}

export const json = (
  name: string,
  path: string,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): AnonymousRequest => ({
  name,
  method: 'POST',
  path,
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

export const form = (name: string, path: string, status: number, body: string): AnonymousRequest => ({
  name,
  method: 'POST',
  path,
  status,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body,
})

export const get = (name: string, path: string, status: number, headers = {}): AnonymousRequest => ({
  name,
  method: 'GET',
  path,
  status,
  headers,
})

/** `{ "0": value, "1": value, … }`: the most members that fit the bytes. */
export function members(bytes: number, value: unknown): Record<string, unknown> {
  const each = JSON.stringify(value).length + 8
  return Object.fromEntries(Array.from({ length: Math.floor(bytes / each) }, (_, at) => [at.toString(36), value]))
}

/** The most items that fit the bytes. */
export const items = (bytes: number, value: unknown): unknown[] =>
  Array.from({ length: Math.floor(bytes / (JSON.stringify(value).length + 1)) }, () => value)
