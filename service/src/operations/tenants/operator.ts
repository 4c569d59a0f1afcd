import type { Author } from '../../domain/tenants/audit.ts'

/** Who the audit names for what the operator's command does. */
export const OPERATOR: Author = { actor: 'operator', requestId: 'operator-command' }
