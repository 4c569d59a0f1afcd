import type { Domain } from '../../src/domain/brand/domain.ts'

/** A domain that its tenant has proven. */
export const verifiedDomain = (host: string, method: Domain['method'] = 'dns'): Domain => ({
  tenantId: 'one-two',
  host,
  status: 'verified',
  method,
  verifiedAt: 1,
  checkedAt: 1,
  nextCheckAt: 2,
  misses: 0,
  createdAt: 1,
})
