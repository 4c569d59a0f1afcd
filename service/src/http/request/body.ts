import { BODY_MAX_BYTES } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { repeatsAName } from '../../domain/json-names.ts'
import type { Call } from '../dependencies.ts'

const DEPTH_MAX = 16

export const isJsonType = (contentType: string): boolean => /^application\/json\s*(;|$)/i.test(contentType)

/** The body as JSON, or undefined when there is none. Never more than `limit` bytes are read. */
export async function readJsonBody(c: Call, limit = BODY_MAX_BYTES): Promise<unknown> {
  const bytes = await readBytes(c, limit)
  if (bytes.length === 0) return undefined
  // Strict, so that no cross-site form can post here: a form cannot send this type without asking first.
  if (!isJsonType(c.req.header('content-type') ?? '')) {
    throw new ApiError('unsupportedMediaType', 'Send the body as Content-Type: application/json.')
  }
  const text = decode(bytes)
  if (deeperThan(text, DEPTH_MAX)) throw malformed(`The body is nested more than ${DEPTH_MAX} levels deep.`)
  try {
    const value = withoutPrototypes(JSON.parse(text))
    // No more than a form or a query may: which one is meant?
    if (repeatsAName(text)) throw malformed('A field of the body came twice.')
    return value
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw malformed('The body is not valid JSON.')
  }
}

/** A form of ours, posted by a page of ours. */
export async function readForm(c: Call): Promise<URLSearchParams> {
  const bytes = await readBytes(c, BODY_MAX_BYTES)
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new ApiError('unsupportedMediaType', 'Send the form as Content-Type: application/x-www-form-urlencoded.')
  }
  const form = new URLSearchParams(decode(bytes))
  // No form of ours repeats a field: which one is meant?
  if (new Set(form.keys()).size < form.size) throw malformed('A field of the form came twice.')
  return form
}

async function readBytes(c: Call, limit: number): Promise<Uint8Array> {
  try {
    return await readAtMost(c, limit)
  } catch (error) {
    if (error instanceof ApiError) throw error
    // Whoever sent it went away in the middle, or was cut for being slow. That is no failure of ours to look into.
    throw malformed('The body broke off before its end.')
  }
}

async function readAtMost(c: Call, limit: number): Promise<Uint8Array> {
  const pendingEvents = c.req.header('content-length')
  if (pendingEvents === undefined) return readStream(c, limit)
  if (Number(pendingEvents) > limit) throw tooLarge(c, limit)
  // The server sees to it that no more comes than was told. Read at once: a stream costs more than the whole answer.
  const bytes = new Uint8Array(await c.req.raw.arrayBuffer())
  if (bytes.length > limit) throw tooLarge(c, limit)
  return bytes
}

async function readStream(c: Call, limit: number): Promise<Uint8Array> {
  const stream = c.req.raw.body
  if (stream === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limit) throw tooLarge(c, limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw malformed('The body is not valid UTF-8.')
  }
}

/** Whoever sends too much is not read to the end; the connection closes after the answer. */
function tooLarge(c: Call, limit: number): ApiError {
  c.header('Connection', 'close')
  return new ApiError('bodyTooLarge', `The body is larger than ${limit} bytes.`)
}

const malformed = (problem: string): ApiError =>
  new ApiError('invalidRequest', problem, { details: { problems: [{ path: '', problem }] } })

/** Counted on the text, before any parser builds what it says. */
function deeperThan(text: string, max: number): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (quoted) {
      if (character === 0x5c) at++
      else if (character === 0x22) quoted = false
    } else if (character === 0x22) quoted = true
    else if (character === 0x5b || character === 0x7b) {
      if (++depth > max) return true
    } else if (character === 0x5d || character === 0x7d) depth--
  }
  return false
}

const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

/** No honest request has such a name, and code further on must never have to wonder what it does. */
function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  for (const [name, inner] of Object.entries(value)) {
    if (FORBIDDEN_NAMES.has(name)) throw malformed(`A field may not be called ${name}.`)
    withoutPrototypes(inner)
  }
  return value
}
