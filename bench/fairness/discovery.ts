import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An OpenID provider as far as a login start needs one: its metadata. */
export async function startProvider(): Promise<{ readonly issuer: string; close(): void }> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end(
      JSON.stringify({
        issuer: issuer(),
        authorization_endpoint: `${issuer()}/auth`,
        token_endpoint: `${issuer()}/token`,
        jwks_uri: `${issuer()}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
    )
  })
  const issuer = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    issuer: issuer(),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
