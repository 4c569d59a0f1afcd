export const SAMPLE_BRAND = {
  name: 'Example Notes',
  privacy_url: null,
  terms_url: null,
  accent: 'indigo',
  logo: null,
  shown_on: ['app.example.com'],
} as const

/** A black square of 64 pixels. */
export const SAMPLE_LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC'
