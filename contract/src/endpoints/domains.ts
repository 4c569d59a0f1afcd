import * as z from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import { SAMPLE_DOMAIN } from '../examples/domain.ts'
import { DOMAIN_CHECKS_PER_HOUR, DOMAINS_MAX } from '../limits.ts'
import { Domain, DomainCheck, DomainHost } from '../schemas/domain.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { MANAGEMENT_ERRORS } from './management-errors.ts'

const ERRORS = [...MANAGEMENT_ERRORS, 'ownerRequired'] as const

export const domainParams = z.object({ host: z.string() })

export const addDomain = defineEndpoint({
  id: 'addDomain',
  method: 'POST',
  path: '/api/domains',
  auth: 'management',
  summary: `Add a domain and get the DNS record or the file that verifies it. At most ${DOMAINS_MAX}; one that exists is returned as it is.`,
  tag: 'Domains and brand',
  body: z.strictObject({ host: DomainHost }),
  ok: { status: 200, body: z.strictObject({ domain: Domain }) },
  errors: [...ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'domainLimit'],
  example: { body: { host: SAMPLE_DOMAIN.host }, response: { domain: SAMPLE_DOMAIN } },
})

export const listDomains = defineEndpoint({
  id: 'listDomains',
  method: 'GET',
  path: '/api/domains',
  auth: 'management',
  summary: 'List the domains of this tenant, with what verifies each.',
  tag: 'Domains and brand',
  ok: { status: 200, body: z.strictObject({ domains: z.array(Domain) }) },
  errors: ERRORS,
  example: { response: { domains: [SAMPLE_DOMAIN] } },
})

export const checkDomain = defineEndpoint({
  id: 'checkDomain',
  method: 'POST',
  path: '/api/domains/:host/check',
  auth: 'management',
  summary: `Look for the DNS record and the file now. A domain that is verified stays so if they are not found. At most ${DOMAIN_CHECKS_PER_HOUR} an hour.`,
  tag: 'Domains and brand',
  params: domainParams,
  body: z.strictObject({}).optional(),
  ok: { status: 200, body: DomainCheck },
  errors: [...ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'domainNotFound'],
  example: {
    params: { host: SAMPLE_DOMAIN.host },
    body: {},
    response: {
      domain: {
        ...SAMPLE_DOMAIN,
        status: 'verified',
        method: 'dns',
        verified_at: '2026-11-15T12:05:00.000Z',
        checked_at: '2026-11-15T12:05:00.000Z',
        next_check_at: '2026-11-22T12:05:00.000Z',
      },
      found: { dns: 'found', file: 'absent' },
    },
  },
})

export const deleteDomain = defineEndpoint({
  id: 'deleteDomain',
  method: 'DELETE',
  path: '/api/domains/:host',
  auth: 'management',
  summary: 'Delete a domain and its verification.',
  tag: 'Domains and brand',
  params: domainParams,
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  errors: [...ERRORS, 'tenantSuspended', 'domainNotFound'],
  example: { params: { host: SAMPLE_DOMAIN.host }, response: { success: true } },
})

/** In documentation order. */
export const DOMAIN_ENDPOINTS = [addDomain, listDomains, checkDomain, deleteDomain] as const
