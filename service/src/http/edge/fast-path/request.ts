import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '@gatehouse/contract'
import type { z } from 'zod'
import { isTenantId } from '../../../domain/tenants/tenant-id.ts'
import { isJsonType } from '../../request/body.ts'

const BODY_MAX_BYTES = 8_192

/** An endpoint with the tenant in its path and one token in its body. */
type TokenEndpoint = Endpoint & { readonly path: `/${string}/:tenantId/${string}`; readonly body: z.ZodObject }

export interface TokenRequestReader {
  /**
   * A tenant id in the path, a small JSON body of a known length, and nothing that the framework would treat
   * differently: no Origin, no other transfer coding.
   */
  matches(req: IncomingMessage): boolean
  tenantIdIn(req: IncomingMessage): string
  /** undefined: the body is not exactly the one field with a token in it, so the framework parses it. */
  tokenIn(body: Buffer): string | undefined
}

/** Reads requests to one endpoint. Its path and body schema are read once, at load. */
export function tokenRequestReader({ method: wanted, path, body }: TokenEndpoint): TokenRequestReader {
  const [prefix = '', suffix = ''] = path.split(':tenantId')
  const [field, ...others] = Object.keys(body.shape)
  if (field === undefined || others.length > 0) throw new Error(`${path} must take exactly one field`)
  const onlyField = onlyFieldCalled(field)
  const tenantIdIn = (url: string): string => url.slice(prefix.length, -suffix.length)
  return {
    matches: ({ method, url = '', rawHeaders }) =>
      method === wanted &&
      url.startsWith(prefix) &&
      url.endsWith(suffix) &&
      isTenantId(tenantIdIn(url)) &&
      hasOnlySimpleHeaders(rawHeaders),
    tenantIdIn: ({ url = '' }) => tenantIdIn(url),
    tokenIn: (bytes) => onlyField.exec(bytes.toString('latin1'))?.[1],
  }
}

/** A body with exactly this field, of characters that a token has. */
const onlyFieldCalled = (name: string): RegExp =>
  new RegExp(
    `^[ \\t\\n\\r]*\\{[ \\t\\n\\r]*"${name}"[ \\t\\n\\r]*:[ \\t\\n\\r]*"([\\w.-]+)"[ \\t\\n\\r]*\\}[ \\t\\n\\r]*$`,
  )

/** The whole of a body whose length was told and is small. A client that goes away ends it without an answer. */
export function readBody(req: IncomingMessage, whole: (body: Buffer) => void, failed: (error: unknown) => void): void {
  let body: Buffer | undefined
  req.on('data', (chunk: Buffer) => {
    body = body === undefined ? chunk : Buffer.concat([body, chunk])
  })
  req.on('end', () => {
    // An exception thrown in a listener would end the process.
    try {
      whole(body ?? Buffer.alloc(0))
    } catch (error) {
      failed(error)
    }
  })
}

function hasOnlySimpleHeaders(rawHeaders: readonly string[]): boolean {
  let types = 0
  let lengths = 0
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1] as string
    switch ((rawHeaders[at] as string).toLowerCase()) {
      case 'content-type':
        if (value !== 'application/json' && !isJsonType(value)) return false
        types++
        break
      case 'content-length':
        if (!(Number(value) <= BODY_MAX_BYTES)) return false
        lengths++
        break
      case 'host':
        hosts++
        break
      case 'origin':
      case 'expect':
      case 'upgrade':
      case 'transfer-encoding':
        return false
    }
  }
  return types === 1 && lengths === 1 && hosts === 1
}
