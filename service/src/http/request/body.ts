import { BODY_MAX_BYTES } from '@gatehouse-auth/contract'
import { ApiError, invalidRequest } from '../../domain/api-error.ts'
import { hasDuplicateName } from '../../domain/duplicate-names.ts'
import type { Call } from '../dependencies.ts'

/** A body may take 15 s to arrive; after this long, its sender is authenticated again. */
export const SLOW_BODY_MS = 1_000

/** Parses the body as JSON; undefined if it is empty. Reads at most `limit` bytes, and parses at most `valuesMax` values. */
export async function readJsonBody(
  c: Call,
  limit = BODY_MAX_BYTES,
  valuesMax = VALUES_MAX,
): Promise<unknown> {
  const bytes = await readBytes(c, limit)
  if (bytes.length === 0) {
    return undefined
  }
  // Prevents cross-site form posts: an HTML form cannot send this type, and fetch() needs a CORS preflight for it.
  if (!isJsonType(c.req.header('content-type') ?? '')) {
    throw new ApiError('unsupportedMediaType', 'Send the body as Content-Type: application/json.')
  }
  return parseJson(decode(bytes), valuesMax)
}

export const isJsonType = (contentType: string): boolean =>
  /^application\/json\s*(;|$)/i.test(contentType)

/** A body of another text type, such as lines of JSON. */
export async function readText(c: Call, type: string, limit: number): Promise<string> {
  const bytes = await readBytes(c, limit)
  const [sent = ''] = (c.req.header('content-type') ?? '').split(';')
  if (bytes.length > 0 && sent.trim().toLowerCase() !== type) {
    throw new ApiError('unsupportedMediaType', `Send the body as Content-Type: ${type}.`)
  }
  return decode(bytes)
}

/** A body that is a file of this type. */
export async function readFile(c: Call, type: string, limit: number): Promise<Uint8Array> {
  const bytes = await readBytes(c, limit)
  if ((c.req.header('content-type') ?? '').trim().toLowerCase() === type) {
    return bytes
  }
  throw new ApiError(
    'unsupportedMediaType',
    `Send the file as the body, with Content-Type: ${type}.`,
  )
}

/** Parses a form, posted by one of the service's pages or by an OAuth client. */
export async function readForm(c: Call, limit = BODY_MAX_BYTES): Promise<URLSearchParams> {
  const bytes = await readBytes(c, limit)
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new ApiError(
      'unsupportedMediaType',
      'Send the form as Content-Type: application/x-www-form-urlencoded.',
    )
  }
  const form = new URLSearchParams(decode(bytes))
  // Prevents parameter confusion: no parameter may be sent twice (RFC 6749, section 3.2).
  if (new Set(form.keys()).size < form.size) {
    throw malformed('A field of the form came twice.')
  }
  return form
}

interface UploadForm {
  readonly form: URLSearchParams
  /** null: none was chosen. */
  readonly file: Uint8Array | null
}

/** Parses a form with a file (RFC 7578). No field and no file may come twice. */
export async function readUploadForm(c: Call, limit: number): Promise<UploadForm> {
  const type = c.req.header('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    return { form: await readForm(c, limit), file: null }
  }
  const parts = [...(await parse(await readBytes(c, limit), type))]
  const names = parts.map(([name]) => name)
  if (new Set(names).size < names.length) {
    throw malformed('A field of the form came twice.')
  }
  const form = new URLSearchParams(
    parts.flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
  const [file, ...others] = parts.flatMap(([, value]) => (typeof value === 'string' ? [] : [value]))
  if (others.length > 0) {
    throw malformed('Send one file.')
  }
  // Browsers send an empty file if none was chosen.
  return {
    form,
    file: file === undefined || file.size === 0 ? null : new Uint8Array(await file.arrayBuffer()),
  }
}

async function parse(bytes: Uint8Array, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), {
      headers: { 'Content-Type': type },
    }).formData()
  } catch {
    throw malformed('The form is not valid multipart/form-data.')
  }
}

const DEPTH_MAX = 16
const VALUES_MAX = 2_000

/** Throws an ApiError for text that is not JSON, or that costs more than a request needs. */
export function parseJson(text: string, valuesMax = VALUES_MAX): unknown {
  const { depth, values } = structureOf(text)
  if (depth > DEPTH_MAX) {
    throw malformed(`The body is nested more than ${DEPTH_MAX} levels deep.`)
  }
  if (values > valuesMax) {
    throw new TooManyValues(valuesMax)
  }
  try {
    const value = rejectPrototypeNames(JSON.parse(text))
    // Prevents parameter confusion: another parser may use the other value (RFC 8259, section 4).
    if (hasDuplicateName(text)) {
      throw malformed('A field of the body came twice.')
    }
    return value
  } catch (error) {
    if (error instanceof ApiError) {
      throw error
    }
    throw malformed('The body is not valid JSON.')
  }
}

/** More values than any request needs. */
export class TooManyValues extends ApiError {
  constructor(valuesMax: number) {
    const problem = `The body has more than ${valuesMax.toLocaleString('en')} values.`
    super('invalidRequest', problem, { details: { problems: [{ path: '', problem }] } })
  }
}

const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype'])

/** Prevents prototype pollution: rejects names that would reach an object's prototype. */
function rejectPrototypeNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value
  }
  for (const [name, inner] of Object.entries(value)) {
    if (FORBIDDEN_NAMES.has(name)) {
      throw malformed(`A field may not be called ${name}.`)
    }
    rejectPrototypeNames(inner)
  }
  return value
}

/** The nesting of a JSON text and the number of its values, containers included. */
interface JsonStructure {
  readonly depth: number
  readonly values: number
}

/**
 * Counts in the text, before JSON.parse builds any object: prevents stack exhaustion by nesting, and messages whose
 * validation costs far more than sending them. Of text that isn't JSON the counts mean nothing; JSON.parse rejects it.
 */
export function structureOf(text: string): JsonStructure {
  let level = 0
  let depth = 0
  let values = 1
  /** After an opening bracket: a container that isn't empty has one value more than commas. */
  let opened = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    // Space, tab, carriage return and line feed.
    if (character <= 0x20) {
      continue
    }
    const closes = isClosing(character)
    if (opened && !closes) {
      values++
    }
    opened = isOpening(character)
    if (opened) {
      depth = Math.max(depth, ++level)
    } else if (closes) {
      level--
    } else if (character === COMMA) {
      values++
    } else if (character === QUOTE) {
      at = endOfString(text, at)
    }
  }
  return { depth, values }
}

const isOpening = (character: number): boolean =>
  character === OPENING_BRACKET || character === OPENING_BRACE

const isClosing = (character: number): boolean =>
  character === CLOSING_BRACKET || character === CLOSING_BRACE

/** The index of the closing quote, or the end of a text that has none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      return at
    }
    if (character === BACKSLASH) {
      at++
    }
  }
  return text.length
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPENING_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** Prevents decompression bombs: bodies are read as sent (RFC 9110, section 15.5.16). */
export function rejectCompression(c: Call): void {
  const encoding = c.req.header('content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    c.header('Accept-Encoding', 'identity')
    throw new ApiError(
      'unsupportedMediaType',
      'Send the body uncompressed, without Content-Encoding.',
    )
  }
}

async function readBytes(c: Call, limit: number): Promise<Uint8Array> {
  rejectCompression(c)
  try {
    return await readAtMost(c, limit)
  } catch (error) {
    if (error instanceof ApiError) {
      throw error
    }
    // The client disconnected or hit the request timeout: a client error, so nothing is logged.
    throw malformed('The body broke off before its end.')
  }
}

async function readAtMost(c: Call, limit: number): Promise<Uint8Array> {
  const contentLength = c.req.header('content-length')
  if (contentLength === undefined) {
    return readStream(c, limit)
  }
  if (Number(contentLength) > limit) {
    throw tooLarge(c, limit)
  }
  // Node enforces Content-Length. One arrayBuffer() call costs far less than reading a web stream.
  const bytes = new Uint8Array(await c.req.raw.arrayBuffer())
  if (bytes.length > limit) {
    throw tooLarge(c, limit)
  }
  return bytes
}

async function readStream(c: Call, limit: number): Promise<Uint8Array> {
  const stream = c.req.raw.body
  if (stream === null) {
    return new Uint8Array()
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limit) {
      throw tooLarge(c, limit)
    }
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

/** The rest of an oversized body is not read: the connection closes after the response. */
function tooLarge(c: Call, limit: number): ApiError {
  c.header('Connection', 'close')
  return new ApiError('bodyTooLarge', `The body is larger than ${limit} bytes.`)
}

/** An error of the body as a whole. */
export const malformed = (problem: string): ApiError =>
  invalidRequest(problem, [{ path: '', problem }])
