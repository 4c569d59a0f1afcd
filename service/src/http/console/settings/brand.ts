import {
  ACCENTS,
  BRAND_NAME_MAX_CHARACTERS,
  LOGO_MAX_BYTES,
  LOGO_MAX_PIXELS,
  LOGO_MIN_PIXELS,
  setBrand as setBrandEndpoint,
} from '@gatehouse/contract'
import { invalidRequest } from '../../../domain/api-error.ts'
import {
  type DescribedBrand,
  deleteBrand,
  deleteLogo,
  requireLogoUpload,
  setBrand,
  setLogo,
} from '../../../operations/brand/brand.ts'
import { logoPath } from '../../logo.ts'
import { choiceField, hiddenFields, textField } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText, HOST_MAX } from '../../pages/text.ts'
import { consoleForm, formButton, formElement, formState } from '../console-page.ts'
import type { FieldState, FormState, RejectedForm } from '../form-state.ts'
import { accountPaths } from '../paths.ts'
import type { Frame } from '../projects/project-page.ts'

/** More than a logo may have, so that its own rules say what is wrong with most files. */
const UPLOAD_MAX_BYTES = 1_024 * 1_024

const brandForm = consoleForm({
  path: accountPaths.saveBrand,
  button: 'Save branding',
  id: 'brand',
  fields: ['name', 'privacy_url', 'terms_url'],
  body: setBrandEndpoint.body,
  read: (form) => ({ name: form.get('name') ?? '', ...orNull(form, 'privacy_url', 'terms_url', 'accent') }),
  run: ({ ctx, tenant, author }, { name, privacy_url: privacyUrl = null, terms_url: termsUrl = null, accent = null }) =>
    setBrand(ctx, tenant, { name, privacyUrl, termsUrl, accent }, author),
  done: { brand: 'Branding saved.' },
  section: 'brand',
})

/** Errors of the buttons are shown at the logo, too. */
const LOGO = { id: 'logo', fields: ['logo'], section: 'brand' } as const

const deleteBrandForm = consoleForm({
  ...LOGO,
  path: accountPaths.deleteBrand,
  button: 'Remove branding',
  run: ({ ctx, tenant, author }) => deleteBrand(ctx, tenant, author),
  done: { 'brand-removed': 'Branding removed.' },
})

const logoForm = consoleForm({
  ...LOGO,
  path: accountPaths.saveLogo,
  button: 'Upload logo',
  limits: { fileMaxBytes: UPLOAD_MAX_BYTES },
  async run({ ctx, tenant, author, file }) {
    await requireLogoUpload(ctx, tenant)
    if (file === null) throw invalidRequest('Choose a PNG file.', [])
    await setLogo(ctx, tenant, file, author)
  },
  done: { logo: 'Logo saved.' },
})

const deleteLogoForm = consoleForm({
  ...LOGO,
  path: accountPaths.deleteLogo,
  button: 'Remove logo',
  run: ({ ctx, tenant, author }) => deleteLogo(ctx, tenant, author),
  done: { 'logo-removed': 'Logo removed.' },
})

export const brandForms = [brandForm, deleteBrandForm, logoForm, deleteLogoForm]

/** An empty field means none. */
function orNull(form: URLSearchParams, ...names: string[]): Record<string, string | null> {
  return Object.fromEntries(names.map((name) => [name, form.get(name)?.trim() || null]))
}

/** What the consent page shows of the app, besides its host. */
export function brandSection(frame: Frame, brand: DescribedBrand | null, rejected: RejectedForm | null): Html {
  const form = formState(brandForm, rejected)
  return html`
    <p>Users see this on the consent page, below the host of your app. ${shownOn(brand, frame.project.tenantId)}</p>
    ${formElement(brandForm, frame, form, [
      textField({
        ...form.field('name', brand?.name ?? ''),
        label: 'Name of your app',
        hint: `At most ${BRAND_NAME_MAX_CHARACTERS} characters. Names of well-known brands are for their domains only.`,
        required: true,
      }),
      pageField('Privacy policy', form.field('privacy_url', brand?.privacyUrl ?? '')),
      pageField('Terms of service', form.field('terms_url', brand?.termsUrl ?? '')),
      choiceField({
        name: 'accent',
        legend: 'Color of the Continue button',
        chosen: form.value('accent', brand?.accent ?? ''),
        choices: [
          { value: '', label: 'Default' },
          ...ACCENTS.map((accent) => ({ value: accent, label: swatch(accent) })),
        ],
        inline: true,
      }),
    ])}
    ${brand !== null && logoForms(frame, brand, formState(logoForm, rejected))}`
}

const pageField = (label: string, field: FieldState): Html =>
  textField({ ...field, label, hint: 'A page on a verified domain, or empty.', type: 'url' })

const swatch = (accent: string): Html => html`<span class="swatch accent-${accent}"></span>${accent}`

function shownOn(brand: DescribedBrand | null, tenantId: string): Html {
  if (brand === null) return html`It needs a verified domain to be shown.`
  const domains = html`<a href="${accountPaths.settings(tenantId)}#domains">Verify the domain</a>`
  return brand.shownOn.length === 0
    ? html`<strong>It isn’t shown yet.</strong> ${domains} of your callback URLs first.`
    : html`It’s shown on ${brand.shownOn.map((host) => displayText(host, HOST_MAX)).join(', ')}.`
}

const logoForms = (frame: Frame, brand: DescribedBrand, form: FormState): Html => html`
  <h3>Logo</h3>
  ${brand.logo !== null && html`<p class="logo"><img src="${logoPath(frame.project.tenantId, brand.logo)}" alt="The logo of ${displayText(brand.name)}" width="64" height="64"></p>`}
  <form method="post" action="${accountPaths.saveLogo(frame.project.tenantId)}" enctype="multipart/form-data">
    ${hiddenFields({ csrf: frame.csrf })}
    ${form.message}
    <div class="field">
      <label for="logo-file">PNG file</label>
      <p class="hint" id="logo-hint">Square, ${LOGO_MIN_PIXELS} to ${LOGO_MAX_PIXELS} pixels, at most ${LOGO_MAX_BYTES / 1_024} KB. Only its pixels are stored.</p>
      <input id="logo-file" name="logo" type="file" accept="image/png" required aria-describedby="logo-hint">
    </div>
    <button class="small quiet">${logoForm.button}</button>
  </form>
  <div class="buttons">
    ${brand.logo !== null && formButton(deleteLogoForm, frame)}
    ${formButton(deleteBrandForm, frame)}
  </div>`
