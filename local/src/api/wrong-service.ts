import { API_VERSION, HEADERS } from '@gatehouse/contract'
import { either, Problem } from '../problem.ts'
import { oneLine } from '../safe-text.ts'
import { type ApiResponse, unreachable } from './request.ts'

/** Every REST answer says which API it is (spec, Versioning 1). What does not say so was not written by the service. */
export function requireVersion(service: string, { status, headers }: ApiResponse): void {
  const version = headers.get(HEADERS.apiVersion)
  if (version === API_VERSION) return
  if (version !== null) throw otherVersion(service, oneLine(version).slice(0, 20))
  if (status >= 502 && status <= 504) throw unreachable(service, `what is in front of it answers ${status}`)
  throw notGatehouse(service, status)
}

export const notGatehouse = (service: string, status: number): Problem =>
  new Problem(
    'notGatehouse',
    `Something answers at ${service} (status ${status}), but it is not Gatehouse.`,
    either('Check the address: --service, GATEHOUSE_URL, or base_url in the .service file.'),
  )

const otherVersion = (service: string, version: string): Problem =>
  new Problem(
    'otherVersion',
    `The service at ${service} speaks API version ${version}, and this program speaks version ${API_VERSION}.`,
    either('Use a matching version of this program: npx @gatehouse/local@latest'),
  )

export const notUnderstood = (service: string): Problem =>
  new Problem(
    'otherVersion',
    `The service at ${service} answered something that this version of the program does not understand.`,
    either('Use the newest version of this program: npx @gatehouse/local@latest'),
  )
