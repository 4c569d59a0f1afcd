import { Claims, IdTokenSettings, issuerOf } from '@gatehouse-auth/contract'
import { AUDIENCES_MAX } from '@gatehouse-auth/contract/limits'
import { findSettings } from '../../../operations/tenants/provision.ts'
import { fileBlock, inlineCode } from '../../pages/elements.ts'
import { html } from '../../pages/markup.ts'
import { consoleForm, formButton, formElement } from '../console-form.ts'
import * as fields from '../fields.ts'
import { accountPaths, below } from '../paths.ts'
import { saveSettings } from './sections.ts'
import { settingsSection } from './settings-page.ts'

/** Another system that accepts ID tokens, and what to enter there. */
interface Preset {
  readonly label: string
  readonly audience: string
  readonly claims: Readonly<Record<string, string>>
  /** Inline code is in backquotes. */
  readonly step: string
  /** By where they belong. `{issuer}` is replaced. */
  readonly lines: Readonly<Record<string, string>>
}

const PRESETS: readonly Preset[] = [
  {
    label: 'Supabase',
    audience: 'authenticated',
    claims: { role: 'authenticated' },
    step: 'In the dashboard, under Authentication, add a third-party provider for custom OIDC with the issuer below. Put your own roles into another claim than `role`.',
    lines: {
      Issuer: '{issuer}',
      'Your app':
        "createClient(url, publishableKey, { accessToken: () => idToken('authenticated') })",
      'A policy': "using ((select auth.jwt() ->> 'sub') = user_id)",
    },
  },
  {
    label: 'Convex',
    audience: 'convex',
    claims: {},
    step: 'Deploy this file. In functions, `ctx.auth.getUserIdentity()` has the user’s id as `subject`.',
    lines: {
      'convex/auth.config.ts': [
        'export default {',
        "  providers: [{ domain: '{issuer}', applicationID: 'convex' }],",
        '}',
      ].join('\n'),
    },
  },
  {
    label: 'Neon',
    audience: 'neon',
    claims: { role: 'authenticated' },
    step: 'In the settings of the Data API, choose another provider, the audience `neon` and the JWKS URL below.',
    lines: {
      'JWKS URL': '{issuer}/.well-known/jwks.json',
      'A policy': 'using (auth.user_id() = user_id)',
    },
  },
]

const presetForm = consoleForm({
  path: below(accountPaths.tokens, 'preset'),
  button: 'Switch on',
  done: {
    'id-tokens-added': 'ID tokens are on. Paste the lines below.',
  },
  async run(post) {
    const preset = PRESETS.find(({ audience }) => audience === post.form.get('audience'))
    const current = (await findSettings(post.ctx, post.tenant))?.idTokens
    if (preset === undefined || current?.audiences.includes(preset.audience)) {
      return
    }
    const audiences = [...(current?.audiences ?? []), preset.audience]
    await saveSettings(post, {
      id_tokens: { audiences, claims: { ...preset.claims, ...current?.claims } },
    })
  },
})

const idTokensForm = consoleForm({
  path: below(accountPaths.tokens, 'id-tokens'),
  button: 'Save ID tokens',
  done: {
    'id-tokens': 'Saved. All tokens have it within five minutes.',
  },
  fields: {
    audiences: fields.lines({
      label: 'Audiences, one per line',
      hint: `The names that other systems expect in \`aud\`. Up to ${AUDIENCES_MAX}. The first is the default.`,
      required: true,
    }),
    claims: fields.json({
      schema: Claims,
      label: 'Claims in every ID token, as JSON. [Claims of a user](/docs/users#claims) win.',
    }),
  },
  body: IdTokenSettings,
  run: (post, id_tokens) => saveSettings(post, { id_tokens }),
})

const offForm = consoleForm({
  path: below(accountPaths.tokens, 'id-tokens/off'),
  button: 'Switch off',
  done: {
    'id-tokens-off': 'ID tokens are off. Existing ones stop working within five minutes.',
  },
  run: (post) => saveSettings(post, { id_tokens: null }),
})

/** Which other systems accept tokens of the app's users. */
export const idTokensSection = settingsSection({
  id: 'other-systems',
  title: 'ID tokens for other systems',
  forms: [presetForm, idTokensForm, offForm],
  async load({ ctx, tenant }) {
    const resource = await findSettings(ctx, tenant)
    return resource && { issuer: issuerOf(ctx.baseUrl, tenant.id), settings: resource.idTokens }
  },
  view(frame, { issuer, settings }) {
    const isOn = ({ audience }: { readonly audience: string }) =>
      settings?.audiences.includes(audience) === true
    return html`
    <p>Databases and other services check an ID token by themselves. It works for up to five minutes, even after sign-out. For anything sensitive, call verify. <a href="/docs/id-tokens">How ID tokens work</a></p>
    <div class="buttons">${PRESETS.filter((preset) => !isOn(preset)).map(({ label, audience }) =>
      formButton(presetForm, frame, {
        label: `${presetForm.button} for ${label}`,
        fields: { audience },
      }),
    )}</div>
    ${PRESETS.filter(isOn).map(
      ({ label, step, lines }) => html`<h3>${label}</h3><p>${inlineCode(step)}</p>
      ${Object.entries(lines).map(([name, text]) => fileBlock(name, null, text.replaceAll('{issuer}', issuer), `${label}: ${name}`))}`,
    )}
    ${settings !== null && html`<p>Issuer: <code>${issuer}</code></p>`}
    <details${(settings !== null || frame.rejected?.id === idTokensForm.id) && html` open`}>
      <summary>${settings === null ? 'Another system' : 'Audiences and claims'}</summary>
      ${formElement(idTokensForm, frame, { values: { audiences: settings?.audiences, claims: settings?.claims ?? {} } })}
      ${settings !== null && formButton(offForm, frame)}
    </details>`
  },
})
