import { API_VERSION, HEADERS } from '@gatehouse/contract'
import { nextStep, Problem, singleLine } from '../problem.ts'
import { type ApiResponse, unreachable } from './request.ts'

/** Every REST response has the API-Version header (spec, Versioning 1). A response without it is not the service's. */
export function requireVersion(service: string, { status, headers }: ApiResponse): void {
  const version = headers.get(HEADERS.apiVersion)
  if (version === API_VERSION) return
  if (version !== null) throw otherVersion(service, singleLine(version).slice(0, 20))
  if (status >= 502 && status <= 504) throw unreachable(service, `its proxy responds with status ${status}`)
  throw notGatehouse(service, status)
}

export const notGatehouse = (service: string, status: number): Problem =>
  new Problem(
    'notGatehouse',
    `The server at ${service} is not Gatehouse (status ${status}).`,
    nextStep('Check the address: --service, GATEHOUSE_URL, or base_url in the .service file.'),
  )

const otherVersion = (service: string, version: string): Problem =>
  new Problem(
    'otherVersion',
    `The service at ${service} has API version ${version}; this program supports version ${API_VERSION}.`,
    nextStep(`Use the version that the service itself serves: npx ${service}/packages/local.tgz`),
  )

export const unexpectedResponse = (service: string): Problem =>
  new Problem(
    'otherVersion',
    `The response of the service at ${service} does not match API version ${API_VERSION}.`,
    nextStep(`Use the version that the service itself serves: npx ${service}/packages/local.tgz`),
  )
