/**
 * Which history of a database a server has (decision 49). A promoted standby and a restored backup continue without the last
 * changes, so each starts a lineage of its own: a random mark, and the marks of its ancestors, the parent first.
 */
export interface DatabaseHistory {
  /** null: no lineage was written yet. */
  readonly mark: string | null
  readonly ancestors: readonly string[]
  /** PostgreSQL's, of the server itself. Grows with each promotion; two promotions can give the same number. */
  readonly timeline: number
  readonly sinceMs: number
}

/** `branch`: both continue an older history, and each lacks the other's changes. */
export function relationTo(
  known: DatabaseHistory,
  found: DatabaseHistory,
): 'same' | 'successor' | 'former' | 'branch' {
  if (found.mark === known.mark) {
    // A server that was just promoted has the mark of its former primary until its first connection.
    if (found.timeline === known.timeline) {
      return 'same'
    }
    return found.timeline > known.timeline ? 'successor' : 'former'
  }
  if (known.mark !== null && found.ancestors.includes(known.mark)) {
    return 'successor'
  }
  if (found.mark !== null && known.ancestors.includes(found.mark)) {
    return 'former'
  }
  return 'branch'
}

/** Whether a process that used `known` may use a server. Never back: of two branches, only the one that began later. */
export function mayReplace(known: DatabaseHistory, found: DatabaseHistory): boolean {
  const relation = relationTo(known, found)
  return relation === 'branch' ? found.sinceMs > known.sinceMs : relation !== 'former'
}

export interface AskedServer extends DatabaseHistory {
  readonly url: string
  /** Identifies the server: two names of one server have it in common. */
  readonly server: string
  /** In recovery: it rejects writes. */
  readonly isStandby: boolean
}

export interface PrimaryChoice {
  /** A URL; null if no server may be used. */
  readonly use: string | null
  /** Why none may be used, although some accept writes. */
  readonly refuse: string | null
}

const TWO_PRIMARIES = 'two PostgreSQL servers accept writes'
const FORMER_PRIMARY = 'only a former primary of PostgreSQL accepts writes'

/**
 * The primary among the servers that responded. A server is not the primary if another one continues its history: a standby
 * shows that, too. If two accept writes and neither continues the other, both are refused: each would lose the other's changes.
 */
export function choosePrimary(
  asked: readonly AskedServer[],
  known: DatabaseHistory | null,
): PrimaryChoice {
  const writable = asked.filter(({ isStandby }) => !isStandby)
  const current = writable.filter(
    (each) =>
      (known === null || mayReplace(known, each)) &&
      !asked.some((other) => relationTo(each, other) === 'successor'),
  )
  const [first, ...others] = current
  if (first === undefined) {
    return { use: null, refuse: writable.length === 0 ? null : FORMER_PRIMARY }
  }
  if (others.some(({ server }) => server !== first.server)) {
    return { use: null, refuse: TWO_PRIMARIES }
  }
  return { use: first.url, refuse: null }
}

/** Patroni's REST API on a node that responded. */
export interface PatroniNode {
  /** It holds the leader's lock, and counts itself when that runs out. */
  readonly isLeader: boolean
  /** As in `AskedServer`, or the start of it; null while its PostgreSQL does not respond. */
  readonly server: string | null
}

/**
 * Only restricts a choice: `used`, the server that is chosen or in use, must be that of the only leader. Another leader may be a
 * standby before its promotion, may not respond, or may be no host of ours: it would lack what this server acknowledges.
 */
export function confirmByPatroni(
  choice: PrimaryChoice,
  used: string | null,
  nodes: readonly PatroniNode[],
): PrimaryChoice {
  const leaders = nodes.filter(({ isLeader }) => isLeader)
  const refused = (refuse: string): PrimaryChoice =>
    choice.refuse === null ? { use: null, refuse } : choice
  if (nodes.length === 0) {
    return refused('Patroni responds on no node')
  }
  if (leaders.length === 0) {
    return refused('Patroni names no leader')
  }
  const isConfirmed =
    used !== null && leaders.every(({ server }) => server !== null && used.startsWith(server))
  return isConfirmed ? choice : refused('the leader that Patroni names cannot be used')
}

/** Above the number of ids that a database assigns in a millisecond, all sign-ins of all tenants together. */
export const IDS_PER_MS = 1
/** For clocks of servers that differ. */
export const SKIPPED_IDS = 10_000
/** The largest id is rounded up to multiples of this, so that the floor tells a tenant little about the largest one. */
export const FLOOR_UNIT = 10_000

/**
 * How many ids a new lineage skips. It rises with the time since the newest row, because another branch may have assigned ids
 * ever since: two branches of one backup that begin at different times never assign the same id.
 */
export const idsToSkip = (newestRowAt: number, now: number): number =>
  SKIPPED_IDS + IDS_PER_MS * Math.max(0, Math.ceil(now - newestRowAt))

/** Above every id in use. */
export const idFloor = (used: number, skip: number): number =>
  Math.ceil(used / FLOOR_UNIT) * FLOOR_UNIT + skip
