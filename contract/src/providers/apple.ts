import { keyClient, type ProviderDefinition, type Zod } from './definition.ts'

const appleId = (z: Zod) =>
  z.string().regex(/^[A-Z0-9]{10}$/, 'Send the ten characters that Apple shows.')

const ownClient = (z: Zod) =>
  keyClient(
    z,
    z
      .string()
      .regex(
        /^[A-Za-z0-9.-]{3,255}$/,
        'Send the identifier of the Services ID, such as com.example.web.',
      ),
    { team_id: appleId(z), key_id: appleId(z), private_key: z.string().max(2_000) },
  )

/** Only an owner's client: subjects and relay addresses belong to a team at Apple. */
export const apple = {
  label: 'Apple',
  issuer: 'https://appleid.apple.com',
  chooser: false,
  formPost: true,
  namesOnce: true,
  importWarning:
    'Apple gives each developer team other subjects: the user is found only by a Services ID of the same team.',
  ownClient,
  fields: {
    team_id: { label: 'Team ID', hint: 'Ten characters.', doc: '' },
    key_id: { label: 'Key ID', hint: 'Ten characters.', doc: '' },
    private_key: {
      label: 'Private key',
      hint: 'The whole content of the .p8 file.',
      doc: 'the content of the `.p8` file.',
      secretRows: 6,
    },
  },
  operator: null,
} as const satisfies ProviderDefinition<ReturnType<typeof ownClient>>
