import type { IncomingMessage } from 'node:http'
import { HEADERS, verifyAccessToken as verifyAccessTokenEndpoint } from '@gatehouse/contract'
import { Refusal } from '../../domain/refusal.ts'
import type { PreparedAnswer, ReadToken } from '../../domain/tokens/access-token-reader.ts'
import { verifyAccessToken } from '../../operations/sessions/verify-access-token.ts'
import { API_HEADERS, baseHeaderList } from '../headers.ts'
import { isJsonType } from '../request-body.ts'
import { requestId } from '../request-id.ts'
import type { AnsweredRequest } from '../router.ts'
import type { Ahead } from '../server.ts'
import type { Surface } from '../surface.ts'

const PREFIX = '/edge/auth/'
const SUFFIX = '/verify'
const BODY_MAX_BYTES = 8_192
/** Exactly the one field, and only characters that a token has: what is not so is for the framework to judge. */
const BODY = /^[ \t\n\r]*\{[ \t\n\r]*"access_token"[ \t\n\r]*:[ \t\n\r]*"([\w.-]+)"[ \t\n\r]*\}[ \t\n\r]*$/
const INVALID = prepared({ valid: false })

/**
 * Answers verify on the HTTP server itself, ahead of the framework: apps call it on every request they get, a thousand
 * times as often as anything else here, and the framework would be the larger part of its cost (docs/decisions/0032).
 *
 * It answers the plain case only, by the same operation and with the same headers: a small JSON body, no page of another
 * origin, a token of ours. Everything else goes the ordinary way, with the body that was read already.
 */
export function verifyAhead({ ctx, standstill }: Surface, record: (request: AnsweredRequest) => void): Ahead {
  const constant = [...baseHeaderList(ctx.baseUrl), ...API_HEADERS].flat()

  return {
    takes: ({ method, url = '', rawHeaders }) =>
      method === 'POST' &&
      url.startsWith(PREFIX) &&
      url.endsWith(SUFFIX) &&
      isPlain(rawHeaders) &&
      // Then revocations are caught up with first, and that takes a moment.
      !standstill.noticed(),

    answer(req, res, otherwise) {
      const started = performance.now()
      readBody(req, (body) => {
        const tenantId = req.url?.slice(PREFIX.length, -SUFFIX.length) ?? ''
        const answer = answerTo(tenantId, body)
        if (answer === null) return otherwise(body)
        const id = requestId()
        res.writeHead(200, [
          ...[HEADERS.requestId, id],
          ...constant,
          ...['Vary', 'Origin', 'Content-Type', 'application/json', 'Content-Length', answer.bytes],
        ])
        res.end(answer.text, answer.encoding)
        const ms = Math.round((performance.now() - started) * 10) / 10
        const { method, path: route } = verifyAccessTokenEndpoint
        record({ requestId: id, method, route, status: 200, ms, ownedTenantId: undefined })
      })
    },
  }

  /** null: not for us to answer. */
  function answerTo(tenantId: string, body: Buffer): PreparedAnswer | null {
    const accessToken = tokenIn(body.toString('latin1'))
    if (accessToken === undefined) return null
    try {
      const verification = verifyAccessToken(ctx, { tenantId, accessToken })
      if (verification.outcome === 'valid') return answerFor(verification.token)
      return verification.outcome === 'invalid' ? INVALID : null
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }
}

function answerFor(token: ReadToken): PreparedAnswer {
  token.answer ??= prepared({ valid: true, user: token.user })
  return token.answer
}

function prepared(body: object): PreparedAnswer {
  const text = JSON.stringify(body)
  const bytes = Buffer.byteLength(text)
  return { text, bytes, encoding: bytes === text.length ? 'latin1' : 'utf8' }
}

const tokenIn = (body: string): string | undefined => BODY.exec(body)?.[1]

/** The whole of a body whose length was told and is small. A client that goes away ends it without an answer. */
function readBody(req: IncomingMessage, whole: (body: Buffer) => void): void {
  let body: Buffer | undefined
  req.on('data', (chunk: Buffer) => {
    body = body === undefined ? chunk : Buffer.concat([body, chunk])
  })
  req.on('end', () => whole(body ?? Buffer.alloc(0)))
}

/** JSON of a known, small length, once; and nothing that the framework would treat in another way. */
function isPlain(rawHeaders: readonly string[]): boolean {
  let types = 0
  let lengths = 0
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
      case 'origin':
      case 'expect':
      case 'upgrade':
      case 'transfer-encoding':
        return false
    }
  }
  return types === 1 && lengths === 1
}
