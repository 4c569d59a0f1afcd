import type { ApiResponse } from '../actors/agent.ts'
import type { Page } from '../actors/browser.ts'

/** Headers that differ between runs. */
const NOT_COMPARED = new Set(['date', 'content-length', 'keep-alive'])

/** Random values and their placeholders. Times are equal, because both runs use a manual clock. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/(?<="request_id":")[\w-]{16}(?=")/g, 'REQUEST'],
  [/(?<="key:|, id <code>)[\w-]{8}(?="|<)/g, 'KEY'],
  [/localhost(:|%3A)\d+/g, 'localhost:PORT'],
  [/"ms":\d+/g, '"ms":DURATION'],
  [/svc_(man|app|rt|es|wt|in)_[\w-]+/g, 'svc_$1_SECRET'],
  [/inv_\w{16}/g, 'INVITATION'],
  [/gatehouse-verification=[\w-]{43}/g, 'gatehouse-verification=VALUE'],
  [/whsec_[\w+/=]+/g, 'whsec_SECRET'],
  [/\bwh_[\w-]+/g, 'wh_ID'],
  [/"(x|y|kid|sid)":"[\w-]{43}"/g, '"$1":"KEY"'],
  [/"n":"[\w-]{342}"/g, '"n":"KEY"'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'JWT'],
  [/(?<=\b|%2F)[a-z]+-[a-z]+-[a-z]+-[23456789bcdfghjkmnpqrstvwxyz]{5}\b/g, 'TENANT'],
  [/\\?"v1-[12]\\?"|runtime_profile=v1-[12]/g, 'PROFILE'],
  [/([?&](?:state|nonce|code_challenge|code))=[\w.~-]+/g, '$1=RANDOM'],
  [/gatehouse_(\w+)=[\w-]{43}/g, 'gatehouse_$1=RANDOM'],
  [/(name="(?:csrf|nonce)" value)="[\w-]+"/g, '$1="RANDOM"'],
  // Chosen by the id of the tenant.
  [/\baccent-[a-z]+/g, 'accent-COLOR'],
  [/\/(consent|interaction|choose|c)\/[\w-]{20,}/g, '/$1/RANDOM'],
  [/"confirmation_code":"\w+"/g, '"confirmation_code":"RANDOM"'],
  [/"((?:user_)?id)":\d+/g, '"$1":ID'],
  [/([?&](?:after|user_id)=|\/(?:users|sessions)\/)\d+/g, '$1ID'],
]

/** One response as text, with placeholders for random values, so that two runs can be compared. */
export function transcriptOf(label: string, { status, headers, text }: ApiResponse | Page): string {
  const requestId = headers.get('x-request-id') ?? 'none'
  const lines = [...headers]
    .filter(([name]) => !NOT_COMPARED.has(name))
    .map(([name, value]) => `${name}: ${value}`)
  const whole = [label, status, ...lines, '', text].join('\n').replaceAll(requestId, 'REQUEST')
  return PLACEHOLDERS.reduce(
    (written, [random, placeholder]) => written.replace(random, placeholder),
    whole,
  )
}
