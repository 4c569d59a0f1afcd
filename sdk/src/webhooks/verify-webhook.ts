import type { AuthEvent, AuthEventKind, ManagedUser } from '../management/types.ts'
import { InvalidWebhookError } from '../service/errors.ts'
import type { HeadersLike } from '../types.ts'

/** A web-standard `Request`, or the headers and the raw body of a request. A parsed body cannot be verified. */
export type WebhookRequest =
  | { readonly headers: HeadersLike; arrayBuffer(): Promise<ArrayBuffer> }
  | { readonly headers: HeadersLike; readonly body: string | Uint8Array }

export interface WebhookOptions {
  /** `whsec_…`, or several: during a rotation, the old one and the new one. */
  readonly secret: string | readonly string[] | undefined
  /** How much older or newer than now a delivery may be, which bounds replays by others. 300 by default. */
  readonly toleranceSeconds?: number
}

const PREFIX = 'whsec_'
const encoder = new TextEncoder()

/**
 * Verifies a webhook as Standard Webhooks defines it, and returns its event. Throws `InvalidWebhookError`: answer 400. Answer
 * 2xx when the event is stored; anything else is sent again.
 *
 * @example
 * ```ts
 * import { InvalidWebhookError, verifyWebhook } from '@gatehouse-auth/sdk'
 *
 * const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqr'
 * export async function POST(request: Request): Promise<Response> {
 *   try {
 *     const { id, type, data } = await verifyWebhook(request, { secret })
 *     if (type === 'social_login.authorize' && data.metadata.new_user) console.log(`${id}: welcome, ${data.email}`)
 *     return new Response(null, { status: 204 })
 *   } catch (error) {
 *     if (error instanceof InvalidWebhookError) return new Response(error.message, { status: 400 })
 *     throw error
 *   }
 * }
 *
 * const forged = new Request('https://app.example.com/webhooks', { method: 'POST', body: '{}' })
 * console.log((await POST(forged)).status)
 * ```
 */
export async function verifyWebhook(
  request: WebhookRequest,
  options: WebhookOptions,
): Promise<WebhookEvent> {
  const { secret, toleranceSeconds = 300 } = options
  if (secret === undefined) {
    throw new TypeError('secret is undefined. Set the variable that you pass, on your server.')
  }
  const id = required(request.headers, 'webhook-id')
  const timestamp = required(request.headers, 'webhook-timestamp')
  const signatures = required(request.headers, 'webhook-signature')
  requireRecent(timestamp, toleranceSeconds)

  const body = await bodyOf(request)
  const content = concat(encoder.encode(`${id}.${timestamp}.`), body)
  if (!(await isSigned(content, signatures, typeof secret === 'string' ? [secret] : secret))) {
    throw new InvalidWebhookError(
      'The signature does not match. Check the secret, and pass the body unparsed.',
    )
  }
  const event: unknown = parse(body)
  if (!isEvent(event)) {
    throw new InvalidWebhookError('The body is not an event.')
  }
  return { ...event, id } as WebhookEvent
}

function required(headers: HeadersLike, name: string): string {
  const value = headers.get(name)
  if (!value) {
    throw new InvalidWebhookError(`The header ${name} is missing.`)
  }
  return value
}

/** Not a number fails, too. */
function requireRecent(timestamp: string, toleranceSeconds: number): void {
  const age = /^\d{1,12}$/.test(timestamp)
    ? Math.abs(Date.now() / 1_000 - Number(timestamp))
    : Number.NaN
  if (!(age <= toleranceSeconds)) {
    throw new InvalidWebhookError('The delivery is too old, or this clock is wrong.')
  }
}

/** `crypto.subtle.verify` compares in constant time. */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  const candidates = signatures.split(' ').flatMap((each) => {
    const [version, value = ''] = each.split(',')
    const bytes = version === 'v1' ? fromBase64(value) : null
    return bytes === null ? [] : [bytes]
  })
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey(
      'raw',
      keyOf(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    )
    for (const candidate of candidates) {
      if (await crypto.subtle.verify('HMAC', key, candidate, content)) {
        return true
      }
    }
  }
  return false
}

/** A wrong secret is a mistake of the app, not of the request. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (key === null || key.length === 0) {
    throw new TypeError('secret must be whsec_ and base64')
  }
  return key
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

async function bodyOf(request: WebhookRequest): Promise<Uint8Array> {
  if ('arrayBuffer' in request) {
    return new Uint8Array(await request.arrayBuffer())
  }
  return typeof request.body === 'string' ? encoder.encode(request.body) : request.body
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return null
  }
}

const isEvent = (value: unknown): value is Omit<WebhookEvent, 'id'> => {
  const { type, data } = Object(value) as { type?: unknown; data?: unknown }
  return typeof type === 'string' && typeof data === 'object' && data !== null
}

/** An event as `GET /api/social-login/events` returns it, and its project. */
export interface AuthEventData extends AuthEvent {
  readonly tenant_id: string
}

/** A user as it is when the message is sent, with every field that `include` can name. */
export interface UserData {
  readonly tenant_id: string
  readonly user: ManagedUser
  /** When the user is deleted, who asked for it; null: they did not, or withdrew it. */
  readonly removal_due_at: string | null
}

/** Delete what your app stores about this user. */
export interface DeletedUserData {
  readonly tenant_id: string
  readonly user: { readonly id: number; readonly email: string }
}

/** A verified webhook. `id` is the same for every delivery of an event: ignore an id that you have handled. */
export type WebhookEvent =
  | {
      readonly id: string
      readonly type: `social_login.${AuthEventKind}`
      readonly timestamp: string
      readonly data: AuthEventData
    }
  | {
      readonly id: string
      readonly type: 'user.created' | 'user.updated' | 'user.removal_requested'
      readonly timestamp: string
      readonly data: UserData
    }
  | {
      readonly id: string
      readonly type: 'user.deleted'
      readonly timestamp: string
      readonly data: DeletedUserData
    }
  | {
      readonly id: string
      readonly type: 'webhook.test'
      readonly timestamp: string
      readonly data: { readonly tenant_id: string }
    }
