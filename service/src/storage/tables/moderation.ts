/** Row types of what the operator blocked; see tables.ts. */

export interface ModerationTables {
  blocked_hosts: BlockedHostRow
}

interface BlockedHostRow {
  /** In punycode. The names below it are blocked too. */
  host: string
  reason: string
  blocked_at: number
}
