import { signOut as endSignIn } from '../../account/sign-out.ts'
import { type Command, SERVICE_OPTION } from '../command.ts'

export const signOut: Command = {
  name: 'sign-out',
  synopsis: '[--service <url>]',
  summary: 'sign out the account of init --account on this machine',
  options: SERVICE_OPTION,
  positionals: { min: 0, max: 0 },
  async run(io) {
    const { service } = io.service
    const result = await endSignIn(service)
    io.printResult({ service, result }, () => [
      result === 'not-signed-in'
        ? `You are not signed in to ${service} on this machine.`
        : `${io.colors.green('✓')} Signed out of ${service}. Projects and their keys are not changed.`,
      ...(result === 'signed-out-here-only'
        ? [`  The service could not be reached. Revoke the access there too: ${service}/account`]
        : []),
    ])
    return undefined
  },
}
