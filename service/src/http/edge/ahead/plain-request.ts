import type { IncomingMessage } from 'node:http'
import { isTenantId } from '../../../domain/tenants/tenant-id.ts'
import { isJsonType } from '../../request-body.ts'

const PREFIX = '/edge/auth/'
const BODY_MAX_BYTES = 8_192

/**
 * A POST to an edge endpoint of a tenant, with a small JSON body of a known length, and without anything that the
 * framework would treat differently: no Origin, no unusual transfer, no path that is not exactly a tenant id.
 */
export const isPlain = (req: IncomingMessage, act: string): boolean => {
  const { method, url = '', rawHeaders } = req
  return (
    method === 'POST' &&
    url.startsWith(PREFIX) &&
    url.endsWith(act) &&
    isTenantId(tenantIdIn(req, act)) &&
    hasPlainHeaders(rawHeaders)
  )
}

export const tenantIdIn = ({ url = '' }: IncomingMessage, act: string): string => url.slice(PREFIX.length, -act.length)

/** A body with exactly the one field, of characters that a token has: what is not so is for the framework to judge. */
export const onlyField = (name: string): RegExp =>
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

function hasPlainHeaders(rawHeaders: readonly string[]): boolean {
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
