import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { json, type Script, type ScriptedProvider, scriptedProvider, tokens } from './scripted-provider.ts'

/** What a provider does at one of its two endpoints, and what the history must say of it. */
export interface Fault {
  readonly at: '/token' | '/userinfo'
  readonly script: Script
  readonly errorCode: string
}

const EMAIL = 'nobody@example.com'

const person = (changes: Readonly<Record<string, unknown>>): Script =>
  json({ sub: EMAIL, email: EMAIL, email_verified: true, name: 'Nobody', ...changes })

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

/** F17: it takes its time. Given at either endpoint. */
export const SLOWNESS: Readonly<Record<string, Script>> = { silent: () => undefined, dripping: drip }

/** F18 and F19: it answers, and no answer is any good. Given at either endpoint. */
export const NONSENSE: Readonly<Record<string, readonly [Script, string]>> = {
  'a 500': [json({ error: 'server_error' }, 500), 'provider_error'],
  'a 429': [(_req, res) => res.writeHead(429, { 'Retry-After': '9' }).end(), 'provider_error'],
  'a connection that breaks': [(req) => req.socket.destroy(), 'unreachable'],
  'an answer that breaks off': [(_req, res) => res.writeHead(200, { 'Content-Length': 99 }).end('{'), 'unreachable'],
  'a redirect': [(_req, res) => res.writeHead(307, { Location: '/elsewhere' }).end(), 'redirected'],
  'a page': [body('<h1>Hello</h1>', { 'Content-Type': 'text/html' }), 'malformed_answer'],
  'a page that says it is JSON': [body('<h1>Hello</h1>'), 'malformed_answer'],
  'ten megabytes': [body(LARGE), 'answer_too_large'],
  'a gzip bomb': [body(gzipSync(LARGE), { 'Content-Encoding': 'gzip' }), 'malformed_answer'],
  'thirty thousand levels': [body('['.repeat(30_000) + ']'.repeat(30_000)), 'malformed_answer'],
  'an empty object': [json({}), 'malformed_answer'],
}

/** F19: it says who it is, in a way that must not be believed. */
export const STRANGERS: Readonly<Record<string, readonly [Script, string]>> = {
  'no subject': [person({ sub: undefined }), 'malformed_answer'],
  'a numeric subject': [person({ sub: 1815 }), 'malformed_answer'],
  'another subject': [person({ sub: 'another' }), 'subject_mismatch'],
  'an unverified address': [person({ email_verified: false }), 'email_unverified'],
  'an address verified by a word': [person({ email_verified: 'false' }), 'email_unverified'],
  'an address with two signs': [person({ email: 'a@b.example@c.example' }), 'email_invalid'],
  'an address with a null': [person({ email: 'a\u0000@b.example' }), 'email_invalid'],
  'no address': [person({ email: undefined }), 'email_missing'],
  'two addresses': [
    body(`{"sub":"${EMAIL}","email":"other@example.com","email_verified":true,"email":"${EMAIL}"}`),
    'malformed_answer',
  ],
}

/** A provider that does to each login what its code says: `<nonce>~<name of the fault>`. */
export async function faultyProvider(
  t: Pick<TestContext, 'after'>,
  faults: ReadonlyMap<string, Fault>,
): Promise<ScriptedProvider> {
  const provider = await scriptedProvider(t)
  const run = (name: string, at: Fault['at'], well: Script): Script => {
    const fault = faults.get(name)
    return fault?.at === at ? fault.script : well
  }
  provider.script('/token', async (req, res) => {
    const [nonce, name = ''] = (new URLSearchParams(await text(req)).get('code') ?? '').split('~')
    const well = json({ ...tokens(provider.issuer, { nonce, sub: EMAIL }), access_token: encodeURIComponent(name) })
    run(name, '/token', well)(req, res)
  })
  provider.script('/userinfo', (req, res) => run(bearerIn(req), '/userinfo', person({}))(req, res))
  return provider
}

const bearerIn = (req: IncomingMessage): string =>
  decodeURIComponent(req.headers.authorization?.slice('Bearer '.length) ?? '')
