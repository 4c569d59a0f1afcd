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
  if (name !== null && ([...name].length > NAME_MAX || /[\p{Cc}\p{Cf}]/u.test(name))) {
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

function readPageUrl(setting: string, value: string | null, problems: string[]): string | null {
  const url = value === null ? null : URL.parse(value)
  if (value === null) {
    return null
  }
  const isWeb =
    url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)))
  if (!isWeb || url.username !== '' || url.password !== '') {
    const page = setting.replace('_URL', '').toLowerCase()
    problems.push(
      `${setting} must be an https address. Example: ${setting}=https://www.example.com/${page}`,
    )
    return null
  }
  return url.href
}

/** What people who sign in can't see on a public service, and the setting that shows it. */
export function missingOperatorSettings(
  baseUrl: string,
  { name, privacyUrl }: OperatorSettings,
): string[] {
  if (isLoopback(new URL(baseUrl))) {
    return []
  }
  return [
    ...(name === null
      ? [
          'OPERATOR_NAME is not set: pages do not say who runs this service. Set it to your name or your company’s.',
        ]
      : []),
    ...(privacyUrl === null
      ? [
          'PRIVACY_URL is not set: pages link to the generated /privacy, which does not know your other processing. Set it to your privacy policy.',
        ]
      : []),
  ]
}
