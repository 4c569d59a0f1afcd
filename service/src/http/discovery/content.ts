import { readFileSync } from 'node:fs'
import { TIER_LIMITS, TIERS, type Tier } from '@gatehouse/contract'

const FOLDER = new URL('../../../content/', import.meta.url)

/** A text of ours, with what varies filled in: where we are, and what the contract says. */
export const readContent = (file: string, baseUrl: string): string =>
  filledIn(readFileSync(new URL(file, FOLDER), 'utf8'), baseUrl)

const filledIn = (text: string, baseUrl: string): string =>
  text.replaceAll('{limits_table}', limitsTable()).replaceAll('{base_url}', baseUrl)

const NAMES: Readonly<Record<Tier, string>> = { ephemeral: 'Guest', free: 'Free', plus: 'Plus', pro: 'Pro' }

const ROWS = [
  ['Stored users', 'storedUsers'],
  ['Auth events a minute', 'eventsPerMinute'],
  ['Auth events a month', 'eventsPerMonth'],
  ['Auth events before it is claimed', 'eventsPerLifetime'],
] as const

/** The same in the agent's guide, which is written by hand; a test compares the two. */
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

/** Agents read a page outside of any browser, where a path alone leads nowhere. */
export const withAbsoluteLinks = (markdown: string, baseUrl: string): string =>
  markdown.replace(/\]\(\//g, `](${baseUrl}/`)
