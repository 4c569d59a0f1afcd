import { type ProviderDefinition, secretClient, type Zod } from './definition.ts'

const DIRECTORY =
  /^(common|organizations|consumers|[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}|(?!.{254})([a-z0-9-]+\.)+[a-z]{2,})$/i

/** The operator's names no domain. */
const SHARED_DIRECTORY =
  /^(common|organizations|consumers|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

const ownClient = (z: Zod) =>
  secretClient(
    z,
    z
      .string()
      .regex(
        /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
        'Copy the application (client) ID, a UUID.',
      ),
    {
      directory: z
        .string()
        .regex(DIRECTORY, 'Send a directory id, its domain, common, organizations or consumers.')
        .default('common'),
    },
  )

/** Each directory is an issuer. Its subjects are `oid`, which is the same for every client. */
export const microsoft = {
  label: 'Microsoft',
  issuer: 'https://login.microsoftonline.com/{directory}/v2.0',
  chooser: true,
  formPost: false,
  namesOnce: false,
  importWarning: null,
  ownClient,
  fields: {
    directory: {
      label: 'Directory',
      hint: 'Who can sign in: a directory id or its domain, organizations, consumers, or common for every account.',
      doc: 'who may sign in. `common`, the default: every account.',
    },
  },
  operator: {
    settings: {
      directory: {
        pattern: SHARED_DIRECTORY,
        problem:
          'must be common, organizations, consumers or the id of a directory. Leave it unset for common.',
        default: 'common',
      },
    },
    mark: `<svg viewBox="0 0 21 21" width="20" height="20" aria-hidden="true" focusable="false"><path fill="#f25022" d="M0 0h10v10H0z"/><path fill="#7fba00" d="M11 0h10v10H11z"/><path fill="#00a4ef" d="M0 11h10v10H0z"/><path fill="#ffb900" d="M11 11h10v10H11z"/></svg>`,
  },
} as const satisfies ProviderDefinition<ReturnType<typeof ownClient>>
