import * as endpoints from '@gatehouse-auth/contract'
import { ACCENTS, LOGO_MAX_BYTES, LOGO_MAX_PIXELS, LOGO_MIN_PIXELS } from '@gatehouse-auth/contract'
import { BRAND_NAME_MAX_CHARACTERS } from '@gatehouse-auth/contract/limits'
import { invalidRequest } from '../../../domain/api-error.ts'
import {
  type DescribedBrand,
  deleteBrand,
  deleteLogo,
  readBrand,
  requireLogoUpload,
  setBrand,
  setLogo,
} from '../../../operations/brand/brand.ts'
import { logoPath } from '../../logo.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText, HOST_MAX } from '../../pages/text.ts'
import { consoleForm, formButton, formElement } from '../console-form.ts'
import * as fields from '../fields.ts'
import { accountPaths, below } from '../paths.ts'
import type { Frame } from '../projects/project-page.ts'
import { settingsSection } from './settings-page.ts'

/** More than a logo may have, so that its own rules say what is wrong with most files. */
const UPLOAD_MAX_BYTES = 1_024 * 1_024

const ACCENT_CHOICES = Object.fromEntries(
  ACCENTS.map((accent) => [accent, html`<span class="swatch accent-${accent}"></span>${accent}`]),
)

const brandForm = consoleForm({
  path: below(accountPaths.signInPages, 'brand'),
  button: 'Save branding',
  done: {
    brand: 'Branding saved.',
  },
  fields: {
    name: fields.text({
      label: 'Name of your app',
      hint: `At most ${BRAND_NAME_MAX_CHARACTERS} characters. Names of well-known brands are for their domains only.`,
      required: true,
    }),
    privacy_url: fields.nullable({
      label: 'Privacy policy',
      hint: 'A page on a verified domain, or empty.',
      type: 'url',
    }),
    terms_url: fields.nullable({
      label: 'Terms of service',
      hint: 'A page on a verified domain, or empty.',
      type: 'url',
    }),
    accent: fields.choice({
      label: 'Color of the Continue button',
      choices: { '': 'Default', ...ACCENT_CHOICES },
      inline: true,
    }),
  },
  body: endpoints.setBrand.body,
  read: ({ accent, ...entered }) => ({ ...entered, accent: accent || null }),
  run: (
    { ctx, tenant, author },
    { name, privacy_url: privacyUrl = null, terms_url: termsUrl = null, accent = null },
  ) => setBrand(ctx, tenant, { name, privacyUrl, termsUrl, accent }, author),
})

/** Errors of the buttons are shown at the logo, too. */
const LOGO = {
  logo: {
    read: () => undefined,
    show: (): Html => html`<div class="field">
      <label for="logo-file">PNG file</label>
      <p class="hint" id="logo-hint">Square, ${LOGO_MIN_PIXELS} to ${LOGO_MAX_PIXELS} pixels, at most ${LOGO_MAX_BYTES / 1_024} KB. Only its pixels are stored.</p>
      <input id="logo-file" name="logo" type="file" accept="image/png" required aria-describedby="logo-hint">
    </div>`,
  },
}

const deleteBrandForm = consoleForm({
  path: below(accountPaths.signInPages, 'brand/delete'),
  id: 'logo',
  button: 'Remove branding',
  done: {
    'brand-removed': 'Branding removed.',
  },
  fields: LOGO,
  run: ({ ctx, tenant, author }) => deleteBrand(ctx, tenant, author),
})

const logoForm = consoleForm({
  path: below(accountPaths.signInPages, 'logo'),
  button: 'Upload logo',
  done: {
    logo: 'Logo saved.',
  },
  fields: LOGO,
  limits: { fileMaxBytes: UPLOAD_MAX_BYTES },
  async run({ ctx, tenant, author, file }) {
    await requireLogoUpload(ctx, tenant)
    if (file === null) {
      throw invalidRequest('Choose a PNG file.', [])
    }
    await setLogo(ctx, tenant, file, author)
  },
})

const deleteLogoForm = consoleForm({
  path: below(accountPaths.signInPages, 'logo/delete'),
  id: 'logo',
  button: 'Remove logo',
  done: {
    'logo-removed': 'Logo removed.',
  },
  fields: LOGO,
  run: ({ ctx, tenant, author }) => deleteLogo(ctx, tenant, author),
})

/** What the consent page shows of the app, besides its host. */
export const brandSection = settingsSection({
  id: 'branding',
  title: 'Branding',
  forms: [brandForm, deleteBrandForm, logoForm, deleteLogoForm],
  load: async ({
    ctx,
    tenant,
    project,
  }): Promise<{ readonly brand: DescribedBrand | null } | null> =>
    project.callbackHosts.length === 0 ? null : { brand: await readBrand(ctx, tenant) },
  view: (frame, { brand }) => html`
    <p>Users see this on the consent page, below the host of your app. ${shownOn(brand)}</p>
    ${formElement(brandForm, frame, {
      values: {
        name: brand?.name,
        privacy_url: brand?.privacyUrl,
        terms_url: brand?.termsUrl,
        accent: brand?.accent,
      },
      note: preview(frame, brand),
    })}
    ${brand !== null && logoForms(frame, brand)}`,
})

/** As the consent page shows it. A script follows what is entered. */
const preview = ({ project, rejected }: Frame, brand: DescribedBrand | null): Html => {
  const entered = rejected?.id === brandForm.id ? rejected.form : null
  const name = entered?.get('name') ?? brand?.name ?? ''
  return html`<figure class="preview" aria-label="Preview of the consent page">
    <figcaption>Preview</figcaption>
    <p class="preview-host">${displayText(project.callbackHosts[0] ?? '', HOST_MAX)}</p>
    <p><bdi data-preview="name">${displayText(name) || 'Name of your app'}</bdi></p>
    <p><span class="preview-button accent-${entered?.get('accent') ?? brand?.accent ?? ''}" data-preview="accent">Continue</span></p>
  </figure>`
}

function shownOn(brand: DescribedBrand | null): Html {
  if (brand === null) {
    return html`To show it, verify a domain below.`
  }
  return brand.shownOn.length === 0
    ? html`<strong>It isn’t shown yet.</strong> Verify the domain of your callback URLs below first.`
    : html`It’s shown on ${brand.shownOn.map((host) => displayText(host, HOST_MAX)).join(', ')}.`
}

const logoForms = (frame: Frame, brand: DescribedBrand): Html => html`
  <h3>Logo</h3>
  ${brand.logo !== null && html`<p class="logo"><img src="${logoPath(frame.project.tenantId, brand.logo)}" alt="The logo of ${displayText(brand.name)}" width="64" height="64"></p>`}
  ${formElement(logoForm, frame, { upload: true, button: { variant: 'small quiet' } })}
  <div class="buttons">
    ${brand.logo !== null && formButton(deleteLogoForm, frame)}
    ${formButton(deleteBrandForm, frame)}
  </div>`
