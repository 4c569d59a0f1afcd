import type { ApiResponse } from '../actors/agent.ts'
import type { Page } from '../actors/browser.ts'

/** Differ from one run to the next without anybody's doing. */
const NOT_COMPARED = new Set(['date', 'content-length', 'keep-alive'])

/** What cannot be the same twice, and what it is written as. Times are: both clocks are held. */
const CHANCE: readonly (readonly [RegExp, string])[] = [
  [/localhost(:|%3A)\d+/g, 'localhost:PORT'],
  [/svc_(man|app|rt|es|wt)_[\w-]+/g, 'svc_$1_SECRET'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'JWT'],
  [/\b[a-z]+-[a-z]+-[a-z]+-[23456789bcdfghjkmnpqrstvwxyz]{5}\b/g, 'TENANT'],
  [/"v1-[12]"|runtime_profile=v1-[12]/g, 'PROFILE'],
  [/([?&](?:state|nonce|code_challenge|code))=[\w.~-]+/g, '$1=CHANCE'],
  [/gatehouse_(\w+)=[\w-]{43}/g, 'gatehouse_$1=CHANCE'],
  [/(name="csrf" value)="[\w-]+"/g, '$1="CHANCE"'],
  [/\/(consent|interaction|choose|c)\/[\w-]{20,}/g, '/$1/CHANCE'],
  [/"confirmation_code":"\w+"/g, '"confirmation_code":"CHANCE"'],
  [/"((?:user_)?id)":\d+/g, '"$1":ID'],
  [/([?&](?:after|user_id)=|\/users\/)\d+/g, '$1ID'],
]

/** One answer, as text that two runs can agree on. */
export function transcriptOf(label: string, { status, headers, text }: ApiResponse | Page): string {
  const requestId = headers.get('x-request-id') ?? 'none'
  const lines = [...headers].filter(([name]) => !NOT_COMPARED.has(name)).map(([name, value]) => `${name}: ${value}`)
  const whole = [label, status, ...lines, '', text].join('\n').replaceAll(requestId, 'REQUEST')
  return CHANCE.reduce((written, [chance, name]) => written.replace(chance, name), whole)
}
