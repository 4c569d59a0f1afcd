import path from 'node:path'
import { LOGIN_FAILURES, TIER_LIMITS, TIERS, type Tier } from '@gatehouse-auth/contract'
import { LANGUAGE_TAGS } from '../../../domain/language.ts'
import { readInstalled } from '../../../folders.ts'

/** A file of service/content, with `{base_url}`, the tables, the files of recipes and generated parts filled in. */
export const readContent = (
  file: string,
  baseUrl: string,
  parts: Readonly<Record<string, string>> = {},
): string =>
  fillIn(readInstalled('content', file).toString(), baseUrl).replace(
    /^\{(\w+)\}$/gm,
    (unknown, name: string) => parts[name] ?? unknown,
  )

const fillIn = (text: string, baseUrl: string): string =>
  withRecipeFiles(
    text
      .replaceAll('{limits_table}', limitsTable)
      .replaceAll('{login_failures_table}', loginFailuresTable)
      .replaceAll('{languages}', languageList)
      .replaceAll('{base_url}', baseUrl),
  )

const loginFailuresTable = (): string =>
  [
    '| `error_code` | Meaning |',
    '|---|---|',
    ...Object.entries(LOGIN_FAILURES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
  ].join('\n')

/** `English, German … and Arabic` */
function languageList(): string {
  const names = new Intl.DisplayNames('en', { type: 'language' })
  const listed = LANGUAGE_TAGS.map((tag) => names.of(tag) ?? tag)
  return new Intl.ListFormat('en-GB').format(listed)
}

const NAMES: Readonly<Record<Tier, string>> = {
  ephemeral: 'Guest',
  free: 'Free',
  plus: 'Plus',
  pro: 'Pro',
}

const ROWS = [
  ['Stored users', 'storedUsers'],
  ['Auth events per minute', 'eventsPerMinute'],
  ['Auth events per month', 'eventsPerMonth'],
  ['Auth events before it is claimed', 'eventsPerLifetime'],
] as const

/** The agent guide contains the same table, written by hand; test/discovery/documents.test.ts compares the two. */
export function limitsTable(): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    row(['', ...TIERS.map((tier) => NAMES[tier])]).replace('|  |', '| |'),
    `|${'---|'.repeat(TIERS.length + 1)}`,
    ...ROWS.map(([label, limit]) =>
      row([label, ...TIERS.map((tier) => TIER_LIMITS[tier][limit]?.toLocaleString('en') ?? '–')]),
    ),
  ].join('\n')
}

/** Agents read Markdown outside of a browser, where a relative link has no base. */
export const withAbsoluteLinks = (markdown: string, baseUrl: string): string =>
  markdown.replace(/\]\(\//g, `](${baseUrl}/`)

/** `{file:node/server.js}` becomes a code block that names the file, with its path inside the app. The SDK's README prints the same files. */
const withRecipeFiles = (markdown: string): string =>
  markdown.replace(/^\{file:([^/]+)\/(\S+)\}$/gm, (_, recipe: string, file: string) => {
    const language = path.extname(file).slice(1)
    return `\`\`\`${language} file=${file}\n${readInstalled('recipes', `${recipe}/${file}`)}\`\`\``
  })
