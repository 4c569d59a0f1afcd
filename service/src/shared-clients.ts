import type { SharedCredentials } from './domain/providers/provider-client.ts'

interface SharedClientSettings {
  readonly github: { readonly clientId: string | null; readonly clientSecret: string | null }
  readonly microsoft: {
    readonly clientId: string | null
    readonly clientSecret: string | null
    readonly directory: string | null
  }
}

const DIRECTORY = /^(common|organizations|consumers|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** The operator's clients at other providers than Google, which projects can use without a client of their own. */
export function readSharedClients(
  { github, microsoft }: SharedClientSettings,
  hasGoogle: boolean,
  problems: string[],
): readonly SharedCredentials[] {
  const directory = microsoft.directory ?? 'common'
  if (!DIRECTORY.test(directory)) {
    problems.push(
      'MICROSOFT_DIRECTORY must be common, organizations, consumers or the id of a directory. Leave it unset for common.',
    )
  }
  if (microsoft.directory !== null && microsoft.clientId === null) {
    problems.push('MICROSOFT_DIRECTORY is set without MICROSOFT_CLIENT_ID: set both, or neither.')
  }
  const read = (prefix: string, { clientId, clientSecret }: SharedClientSettings['github']) => {
    const [id, secret] = [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`]
    if (clientId !== null && clientSecret !== null) {
      // The stand-ins sign anyone in as anyone, so a service has all of them or none.
      if (!hasGoogle)
        problems.push(`${id} needs a real Google: set GOOGLE_CLIENT_ID too, or unset ${id} and ${secret}.`)
      return [{ clientId, clientSecret }]
    }
    if (clientSecret !== null) problems.push(`${secret} is set without ${id}: set both, or neither.`)
    if (clientId !== null) problems.push(`${id} is set without ${secret}: set both, or neither.`)
    return []
  }
  return [
    ...read('GITHUB', github).map((client) => ({ kind: 'github' as const, ...client })),
    ...read('MICROSOFT', microsoft).map((client) => ({ kind: 'microsoft' as const, ...client, directory })),
  ]
}
