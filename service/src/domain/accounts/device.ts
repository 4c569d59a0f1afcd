/** Where an owner is signed in, as they recognize it: `Firefox on Linux`. Only a name from these lists is ever stored. */

/** In this order, because browsers also name those that they are based on. */
const BROWSERS: readonly (readonly [name: string, token: RegExp])[] = [
  ['Edge', /\b(?:Edg|EdgA|EdgiOS)\//],
  ['Opera', /\b(?:OPR|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS)\//],
  ['Safari', /\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//],
]

const SYSTEMS: readonly (readonly [name: string, token: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

/** Browsers send some 150 characters. */
const MAX_CHARACTERS = 500

/** null: the header names none of them. */
export function deviceFrom(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent.length > MAX_CHARACTERS) return null
  const [browser, system] = [BROWSERS, SYSTEMS].map((names) => names.find(([, token]) => token.test(userAgent))?.[0])
  return browser !== undefined && system !== undefined ? `${browser} on ${system}` : (browser ?? system ?? null)
}
