import { isLoopback } from './domain/callbacks/host.ts'

/** Who runs this service, for its pages. */
export interface OperatorSettings {
  readonly name: string | null
  /** null: the generated page at /privacy. */
  readonly privacyUrl: string | null
  readonly termsUrl: string | null
  readonly supportUrl: string | null
}

const NAME_MAX = 60

export function readOperator(
  { name, privacyUrl, termsUrl, supportUrl }: OperatorSettings,
  problems: string[],
): OperatorSettings {
  if (name !== null && !isName(name)) {
    problems.push(
      `OPERATOR_NAME must have at most ${NAME_MAX} characters and no control characters. Example: OPERATOR_NAME=Example Inc.`,
    )
  }
  return {
    name,
    privacyUrl: readPageUrl('PRIVACY_URL', privacyUrl, problems),
    termsUrl: readPageUrl('TERMS_URL', termsUrl, problems),
    supportUrl: readPageUrl('SUPPORT_URL', supportUrl, problems),
  }
}

function isName(name: string): boolean {
  const hasControlCharacters = /[\p{Cc}\p{Cf}]/u.test(name)
  return [...name].length <= NAME_MAX && !hasControlCharacters
}

function readPageUrl(setting: string, value: string | null, problems: string[]): string | null {
  if (value === null) {
    return null
  }
  const url = URL.parse(value)
  if (url === null || !isPageUrl(url)) {
    const page = setting.replace('_URL', '').toLowerCase()
    problems.push(
      `${setting} must be an https address. Example: ${setting}=https://www.example.com/${page}`,
    )
    return null
  }
  return url.href
}

function isPageUrl(url: URL): boolean {
  const hasCredentials = url.username !== '' || url.password !== ''
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
  return isWeb && !hasCredentials
}

/** Warnings about what the pages of a public service don't say, each with the setting that adds it. */
export function missingOperatorSettings(
  baseUrl: string,
  { name, privacyUrl }: OperatorSettings,
): string[] {
  if (isLoopback(new URL(baseUrl))) {
    return []
  }
  const missing: string[] = []
  if (name === null) {
    missing.push(
      'OPERATOR_NAME is not set: pages do not say who runs this service. Set it to your name or your company’s.',
    )
  }
  if (privacyUrl === null) {
    missing.push(
      'PRIVACY_URL is not set: pages link to the generated /privacy, which does not know your other processing. Set it to your privacy policy.',
    )
  }
  return missing
}
