import { signedIn } from '../../account/access-token.ts'
import { openBrowser } from '../../account/open-browser.ts'
import { signIn } from '../../account/sign-in.ts'
import { readPending } from '../../credentials/pending.ts'
import { projectIfThere } from '../../credentials/read.ts'
import { inWords } from '../../duration.ts'
import { Problem } from '../../problem.ts'
import { createTenant } from '../../project/create-tenant.ts'
import type { CreatedTenant } from '../../project/created-tenant.ts'
import { type Creator, currentAccount } from '../../project/creator.ts'
import type { CommandIo } from '../desk.ts'
import { interruptible } from '../interruptible.ts'
import { SERVICE_OPTION, usage, type Verb } from '../verb.ts'

export const init: Verb = {
  name: 'init',
  takes: '[--account | --guest]',
  summary: 'give this project a tenant, and write its .service file',
  more: [
    'Writes .service into the current folder (or --project) with mode 0600 and lists it in .gitignore first.',
    'A project that has a tenant keeps it; a file that is already there is never overwritten.',
    '',
    '--account          sign in with Google in the browser first: the tenant is yours and does not expire',
    '--guest            a guest that lives 72 hours, even if you are signed in on this machine',
    '--no-open          print the sign-in address only, and do not open a browser',
    '--service <url>    the service to create it at (else GATEHOUSE_URL, else http://localhost:8787)',
  ],
  options: {
    ...SERVICE_OPTION,
    account: { type: 'boolean' },
    guest: { type: 'boolean' },
    'no-open': { type: 'boolean' },
  },
  words: { min: 0, max: 0 },
  async run(io, _words, options) {
    if (options.account === true && options.guest === true)
      throw usage('Choose --account or --guest, not both.', 'init')
    const { service, serviceIsExplicit } = io.service
    const root = await io.namedRoot()
    const creator = options.guest === true ? guest : () => currentAccount(service)
    const create = (): Promise<CreatedTenant> => createTenant({ root, service, serviceIsExplicit, creator })
    const signIn = (): Promise<void> => askToSignIn(io, root, service, options['no-open'] !== true)
    const created = options.account === true ? await createOwned({ root, service, create, signIn }) : await create()
    io.response(created, () => lines(io, created))
    return undefined
  },
}

const guest = async (): Promise<Creator> => ({ kind: 'guest' })

interface Owned {
  readonly root: string
  readonly service: string
  create(): Promise<CreatedTenant>
  signIn(): Promise<void>
}

/** Asks the person to sign in when nobody is, or when the service says that it is over; never for a tenant that is there. */
async function createOwned({ root, service, create, signIn }: Owned): Promise<CreatedTenant> {
  try {
    if ((await projectIfThere(root)) === null && (await signedIn(service)) === null) await signIn()
    return await create()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'signInNeeded') throw error
    await signIn()
    return create()
  }
}

async function askToSignIn(io: CommandIo, root: string, service: string, opens: boolean): Promise<void> {
  const pending = await readPending(root)
  const clientId = pending?.service === service ? pending.clientId : undefined
  await interruptible(async (signal) => {
    let waiting = { stop: () => {} }
    const offer = (url: string): void => {
      io.note(`Sign in with your browser:\n\n  ${url}\n`)
      if (opens) openBrowser(url)
      waiting = io.spinner('Waiting for you to sign in and allow this computer…')
    }
    try {
      await signIn(service, { offer, signal, ...(clientId === undefined ? {} : { clientId }) })
    } finally {
      waiting.stop()
    }
  })
  io.note('Signed in.')
}

function lines({ paint }: CommandIo, tenant: CreatedTenant): string[] {
  const name = paint.bold(tenant.tenant_id)
  const left = tenant.expires_at === null ? 0 : (Date.parse(tenant.expires_at) - Date.now()) / 1_000
  const life = tenant.expires_at === null ? 'it is owned and does not expire' : `a guest for ${inWords(left)}`
  return [
    `${paint.green('✓')} ${tenant.reused ? 'This project has' : 'Created'} tenant ${name}: ${life}.`,
    `  Credentials  ${tenant.credentials_path} (mode 0600, in .gitignore)`,
    `  Service      ${tenant.base_url}`,
    `  Next         gatehouse-local ${tenant.reused ? 'status' : 'provision http://localhost:3000/auth/callback'}`,
  ]
}
