import { newAppSecret } from '../../credentials/app-secret.ts'
import type { Command } from '../command.ts'

export const env: Command = {
  name: 'env',
  synopsis: '[--secret]',
  summary: 'print the environment variables that your app needs; never the keys',
  details: [
    'In the format of .env files: GATEHOUSE_URL and GATEHOUSE_TENANT, which are not secret. On the machine where .service is,',
    'the recipes read both from the file.',
    '',
    '--secret           also generate GATEHOUSE_SECRET, for the option `secret` of the SDK: the same for all processes of the app.',
    '                   Not the one that init wrote, which is for this machine',
  ],
  options: { secret: { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  async run(io, _positionals, { secret }) {
    const { base_url, tenant_id } = (await io.project()).credentials
    const variables = {
      GATEHOUSE_URL: base_url,
      GATEHOUSE_TENANT: tenant_id,
      ...(secret === true ? { GATEHOUSE_SECRET: newAppSecret() } : {}),
    }
    io.printResult(variables, () => Object.entries(variables).map(([name, value]) => `${name}=${value}`))
    if (secret === true) io.printNote('GATEHOUSE_SECRET is new and stored nowhere. Keep it out of version control.')
    return undefined
  },
}
