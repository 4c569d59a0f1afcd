const VALUE = 'gatehouse-verification=EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA'

export const SAMPLE_DOMAIN = {
  host: 'app.example.com',
  registrable_domain: 'example.com',
  status: 'pending',
  method: null,
  dns: { type: 'TXT', name: '_gatehouse.example.com', value: VALUE },
  file: { url: 'https://app.example.com/.well-known/gatehouse.txt', content: VALUE },
  verified_at: null,
  checked_at: null,
  next_check_at: null,
  missed_checks: 0,
  created_at: '2026-11-15T12:00:00.000Z',
} as const
