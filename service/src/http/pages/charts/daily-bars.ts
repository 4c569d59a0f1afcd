import type { Day } from '../../account/projects/daily.ts'
import { type Html, html } from '../markup.ts'

export interface Frame {
  readonly top: number
  readonly height: number
  /** The count that would fill the frame. */
  readonly ceiling: number
}

/** One sign-in in a busy month is still something to see. */
const LEAST = 3
const GAP = 1
const SHARE_OF_SLOT = 0.72

/** Across, all is in percent: bars get narrower with the page, and the words between them keep their size. */
export const slot = (index: number, count: number): { readonly left: string; readonly middle: string } => ({
  left: percent((index / count) * 100),
  middle: percent(((index + 0.5) / count) * 100),
})

export const percent = (share: number): string => `${Number(share.toFixed(3))}%`

/** Sign-ins, and on top of them those that failed. Nothing is drawn for a day without either. */
export function dayBar({ logins, failures }: Day, index: number, count: number, { top, height, ceiling }: Frame): Html {
  const tall = (value: number): number => (value > 0 ? Math.max(LEAST, (value / ceiling) * height) : 0)
  const failed = Math.min(tall(failures), height)
  const signedIn = Math.min(tall(logins), height - failed)
  const bottom = top + height
  const gap = signedIn > 0 ? GAP : 0
  const bar = (name: string, y: number, tallness: number): Html =>
    html`<rect class="${name}" x="${percent(((index + (1 - SHARE_OF_SLOT) / 2) / count) * 100)}" width="${percent((SHARE_OF_SLOT / count) * 100)}" y="${pixels(y)}" height="${pixels(tallness)}"/>`

  return html`${signedIn > 0 && bar('signed-in', bottom - signedIn, signedIn)}${
    failed > 0 && bar('failed', bottom - signedIn - failed, failed - gap)
  }`
}

const pixels = (value: number): number => Number(value.toFixed(2))

/** A round number that the highest bar fits under, and whose half is whole. */
export function roundCeiling(highest: number): number {
  let step = 1
  while (highest > 10 * step) step *= 10
  return [2, 4, 6, 8, 10].map((factor) => factor * step).find((ceiling) => ceiling >= highest) ?? 10 * step
}
