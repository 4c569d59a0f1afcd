import { type ProviderDefinition, secretClient, type Zod } from './definition.ts'

const ownClient = (z: Zod) =>
  secretClient(
    z,
    z.string().regex(/^[\x21-\x7e]{1,255}$/, 'Send the client id that the provider gave you.'),
    {
      issuer: z.string().max(512),
      display_name: z
        .string()
        .trim()
        .min(1)
        .max(40)
        .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'Send one line of text.'),
    },
  )

/** Any OpenID provider that an owner chooses. A project can have several, each with a name of its own. */
export const oidc = {
  label: 'OpenID provider',
  issuer: null,
  // It may ignore the wish for one.
  chooser: false,
  formPost: false,
  namesOnce: false,
  importWarning:
    'An OpenID provider may give each client other subjects: try the sign-in of one user with your client.',
  ownClient,
  fields: {
    issuer: {
      label: 'Issuer',
      hint: 'An https URL, as in its discovery document.',
      doc: 'an https URL with discovery.',
    },
    display_name: {
      label: 'Name of the provider',
      hint: 'Users see it on the sign-in pages. At most 40 characters.',
      doc: '1 to 40 characters for the consent page, and the rules of a brand apply.',
    },
  },
  operator: null,
} as const satisfies ProviderDefinition<ReturnType<typeof ownClient>>
