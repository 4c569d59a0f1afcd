import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  json,
  type Script,
  type ScriptedProvider,
  scriptedProvider,
  tokens,
} from './scripted-provider.ts'

/** What a provider does at one of its two endpoints, and the error code that the event must have. */
export interface Fault {
  readonly at: '/token' | '/userinfo'
  readonly script: Script
  readonly errorCode: string
}

const EMAIL = 'user@example.com'

const userinfo = (changes: Readonly<Record<string, unknown>>): Script =>
  json({ sub: EMAIL, email: EMAIL, email_verified: true, name: 'User', ...changes })

const body =
  (content: string | Buffer, headers: Readonly<Record<string, string>> = {}): Script =>
  (_req, res) =>
    res.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(content)

const drip: Script = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json' }).write('{')
  const timer = setInterval(() => res.write(' '), 100)
  res.on('close', () => clearInterval(timer))
}

const TEN_MEGABYTES = 10 * 1_024 * 1_024
const LARGE = JSON.stringify({ sub: EMAIL, pad: ' '.repeat(TEN_MEGABYTES) })

/** F17: responses that never complete, at either endpoint. */
export const SLOW_RESPONSES: Readonly<Record<string, Script>> = {
  silent: () => undefined,
  dripping: drip,
}

/** F18 and F19: invalid responses, at either endpoint. */
export const BAD_RESPONSES: Readonly<Record<string, readonly [Script, string]>> = {
  'a 500': [json({ error: 'server_error' }, 500), 'provider_error'],
  'a 429': [(_req, res) => res.writeHead(429, { 'Retry-After': '9' }).end(), 'provider_error'],
  'a connection reset': [(req) => req.socket.destroy(), 'unreachable'],
  'a truncated response': [
    (req, res) =>
      res.writeHead(200, { 'Content-Length': 99 }).write('{', () => req.socket.destroy()),
    'unreachable',
  ],
  'a redirect': [(_req, res) => res.writeHead(307, { Location: '/elsewhere' }).end(), 'redirected'],
  'an HTML page': [body('<h1>Hello</h1>', { 'Content-Type': 'text/html' }), 'malformed_answer'],
  'an HTML page labeled as JSON': [body('<h1>Hello</h1>'), 'malformed_answer'],
  'a ten-megabyte body': [body(LARGE), 'answer_too_large'],
  'a gzip bomb': [body(gzipSync(LARGE), { 'Content-Encoding': 'gzip' }), 'malformed_answer'],
  'thirty thousand nested arrays': [
    body('['.repeat(30_000) + ']'.repeat(30_000)),
    'malformed_answer',
  ],
  'an empty object': [json({}), 'malformed_answer'],
}

/** F19: userinfo responses that must not identify a user. */
export const INVALID_USERINFO: Readonly<Record<string, readonly [Script, string]>> = {
  'no subject': [userinfo({ sub: undefined }), 'malformed_answer'],
  'a numeric subject': [userinfo({ sub: 1815 }), 'malformed_answer'],
  'another subject': [userinfo({ sub: 'another' }), 'subject_mismatch'],
  'an unverified email': [userinfo({ email_verified: false }), 'email_unverified'],
  'email_verified as a string': [userinfo({ email_verified: 'false' }), 'email_unverified'],
  'an email with two @': [userinfo({ email: 'a@b.example@c.example' }), 'email_invalid'],
  'an email with a NUL': [userinfo({ email: 'a\u0000@b.example' }), 'email_invalid'],
  'no email': [userinfo({ email: undefined }), 'email_missing'],
  'a duplicate email member': [
    body(`{"sub":"${EMAIL}","email":"other@example.com","email_verified":true,"email":"${EMAIL}"}`),
    'malformed_answer',
  ],
}

/** A provider that injects the fault named in each login's code: `<nonce>~<name of the fault>`. */
export async function faultyProvider(
  t: Pick<TestContext, 'after'>,
  faults: ReadonlyMap<string, Fault>,
): Promise<ScriptedProvider> {
  const provider = await scriptedProvider(t)
  const scriptFor = (name: string, at: Fault['at'], success: Script): Script => {
    const fault = faults.get(name)
    return fault?.at === at ? fault.script : success
  }
  provider.script('/token', async (req, res) => {
    const [nonce, name = ''] = (new URLSearchParams(await text(req)).get('code') ?? '').split('~')
    const success = json({
      ...tokens(provider.issuer, { nonce, sub: EMAIL }),
      access_token: encodeURIComponent(name),
    })
    scriptFor(name, '/token', success)(req, res)
  })
  provider.script('/userinfo', (req, res) =>
    scriptFor(bearerIn(req), '/userinfo', userinfo({}))(req, res),
  )
  return provider
}

const bearerIn = (req: IncomingMessage): string =>
  decodeURIComponent(req.headers.authorization?.slice('Bearer '.length) ?? '')
