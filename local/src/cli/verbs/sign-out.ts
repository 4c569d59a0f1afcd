import { signOut as end } from '../../account/sign-out.ts'
import { SERVICE_OPTION, type Verb } from '../verb.ts'

export const signOut: Verb = {
  name: 'sign-out',
  takes: '[--service <url>]',
  summary: 'end the sign-in that init --account made on this machine',
  options: SERVICE_OPTION,
  words: { min: 0, max: 0 },
  async run(io) {
    const { service } = io.service
    const result = await end(service)
    io.response({ service, result }, () => [
      result === 'nobody'
        ? `Nobody is signed in at ${service} on this machine.`
        : `${io.paint.green('✓')} Signed out of ${service}. Projects and their keys are not touched.`,
      ...(result === 'signed-out-here-only'
        ? [`  The service was out of reach; end the connection there too: ${service}/account`]
        : []),
    ])
    return undefined
  },
}
