import type { Verb } from '../verb.ts'
import { claim } from './claim.ts'
import { doctor } from './doctor.ts'
import { events } from './events.ts'
import { feedback } from './feedback.ts'
import { init } from './init.ts'
import { mcp } from './mcp.ts'
import { provision } from './provision.ts'
import { signOut } from './sign-out.ts'
import { status } from './status.ts'

/** In the order in which a newcomer needs them. */
export const VERBS: readonly Verb[] = [init, provision, status, claim, events, feedback, mcp, doctor, signOut]

export const verbNamed = (name: string): Verb | undefined => VERBS.find((verb) => verb.name === name)
