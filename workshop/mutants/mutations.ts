import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import {
  type AnyNode,
  type BinaryExpression,
  type Expression,
  type LogicalExpression,
  type Node,
  parse,
  type Super,
} from 'acorn'
import { CONSTANT_VALUES } from './switches.ts'

/** One generated change of a source file: a check removed, a comparison changed, a call left out, a limit changed. */
export interface Mutant {
  readonly line: number
  /** Both on one line. An empty `mutated` means that the statement is left out. */
  readonly original: string
  readonly mutated: string
}

interface MutatedSource {
  readonly mutants: readonly Mutant[]
  /** JavaScript that contains every mutant and asks the functions of workshop/mutants/switches.ts which one is switched on. */
  readonly code: string
}

/** Text that replaces what is between two positions: nothing, if they are the same. */
interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

const NEGATED: Readonly<Record<string, string>> = { '===': '!==', '!==': '===' }
const MOVED: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

/** A limit, a size or a duration. Used as a number, it becomes 0 and practically infinite. */
const CONSTANT = /^[A-Z][A-Z0-9_]+$/

/**
 * All mutants of a source file, numbered from `firstId`. Code that runs once, when its module is loaded, has none: it could
 * not be switched.
 */
export function mutantsOf(typescript: string, firstId: number): MutatedSource {
  // Removing types keeps every position, so lines are those of the original.
  const source = stripTypeScriptTypes(typescript, { mode: 'strip' })
  const program = parse(source, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    preserveParens: true,
  })
  const mutants: Mutant[] = []
  const opening: Edit[] = []
  const closing: Edit[] = []
  const text = ({ start, end }: Node): string => source.slice(start, end)
  const add = (node: Node, original: string, mutated: string): number => {
    const line = source.slice(0, node.start).split('\n').length
    return (
      firstId +
      mutants.push({ line, original: onOneLine(original), mutated: onOneLine(mutated) }) -
      1
    )
  }
  /** Outer nodes come first, so they open first and close last. */
  const wrap = ({ start, end }: Node, open: string, close: string): void => {
    opening.push({ from: start, to: start, text: open })
    closing.unshift({ from: end, to: end, text: close })
  }

  const mutateComparison = (node: BinaryExpression): void => {
    const { operator, left, right } = node
    const other = NEGATED[operator] ?? MOVED[operator]
    if (other === undefined) {
      return
    }
    const id = add(node, text(node), `${text(left)} ${other} ${text(right)}`)
    if (operator in NEGATED) {
      wrap(node, `($mutant(${id}) !== (`, '))')
      return
    }
    wrap(node, `$order(${id}, '${operator}', `, ')')
    opening.push({ from: left.end, to: right.start, text: ', ' })
  }

  const mutateOperands = (node: LogicalExpression, parent: AnyNode, key: string): void => {
    const { operator } = node
    const isOr = operator === '||'
    for (const operand of [node.left, node.right]) {
      // The operands of `a && b && c` are three, not two.
      if (operand.type === 'LogicalExpression' && operand.operator === operator) {
        continue
      }
      if (operand === node.right && !isOr && isResult(operand, parent, key)) {
        continue
      }
      wrap(operand, `$unless(${add(operand, text(operand), String(!isOr))}, ${isOr}, `, ')')
    }
  }

  const mutateConstant = (node: AnyNode, parent: AnyNode, key: string): void => {
    if (isConstant(node) && isValue(node, parent, key)) {
      const [first = 0] = CONSTANT_VALUES.map((value) => add(node, text(node), String(value)))
      wrap(node, `$number(${first}, `, ')')
    }
  }

  const mutate = (node: AnyNode, parent: AnyNode, key: string): void => {
    if (node.type === 'IfStatement') {
      wrap(node.test, `$unless(${add(node, `if (${text(node.test)})`, 'if (false)')}, true, `, ')')
    } else if (node.type === 'ConditionalExpression' && node.test.type !== 'BinaryExpression') {
      wrap(
        node.test,
        `$mutant(${add(node.test, text(node.test), `!(${text(node.test)})`)}) !== !!(`,
        ')',
      )
    } else if (node.type === 'BinaryExpression') {
      mutateComparison(node)
    } else if (node.type === 'LogicalExpression' && node.operator !== '??') {
      mutateOperands(node, parent, key)
    } else if (node.type === 'ExpressionStatement' && isCallWithEffect(node.expression)) {
      wrap(node, `{ if (!$mutant(${add(node, text(node), '')})) {`, '}}')
    } else {
      mutateConstant(node, parent, key)
    }
  }
  const walk = (node: AnyNode, parent: AnyNode, key: string, runsAtLoad: boolean): void => {
    if (!runsAtLoad) {
      mutate(node, parent, key)
    }
    for (const [name, child] of childrenOf(node)) {
      walk(child, node, name, runsAtLoad && !runsLater(node, name))
    }
  }
  walk(program, program, '', true)
  return { mutants, code: edited(source, [...closing, ...opening]) }
}

/** Bodies of functions, and what is computed for each instance of a class. */
const runsLater = (node: AnyNode, key: string): boolean =>
  /Function/.test(node.type) ||
  (node.type === 'PropertyDefinition' && key === 'value' && !node.static)

/** A call whose value is not used. Without its log line a program is the same, and without `super` it is none. */
function isCallWithEffect(expression: Expression): boolean {
  if (
    expression.type === 'AwaitExpression' ||
    (expression.type === 'UnaryExpression' && expression.operator === 'void')
  ) {
    return isCallWithEffect(expression.argument)
  }
  return expression.type === 'CallExpression' && !/\b(log|super)$/.test(rootOf(expression.callee))
}

/** The last name before the method: `log` in `ctx.log.warn`. */
function rootOf(callee: Expression | Super): string {
  if (callee.type === 'Super') {
    return 'super'
  }
  if (callee.type !== 'MemberExpression') {
    return ''
  }
  const { object } = callee
  if (object.type === 'Identifier') {
    return object.name
  }
  return object.type === 'MemberExpression' && object.property.type === 'Identifier'
    ? object.property.name
    : ''
}

const PREDICATE = /^(is|has|can|may|allows|fits|includes|some|every|startsWith|endsWith|test)/

/**
 * Whether the last operand is what an expression returns or does, as in `found && describe(found)` and `isFull && 'full'`, not a
 * condition. It is never left out: only a value that is false would show that.
 */
function isResult(operand: Expression, parent: AnyNode, key: string): boolean {
  if (key === 'test' || parent.type === 'UnaryExpression' || parent.type === 'LogicalExpression') {
    return false
  }
  if (operand.type === 'ParenthesizedExpression') {
    return isResult(operand.expression, parent, key)
  }
  if (operand.type === 'AwaitExpression') {
    return isResult(operand.argument, parent, key)
  }
  if (operand.type !== 'CallExpression') {
    return /Template|Literal|ObjectExpression|ArrayExpression/.test(operand.type)
  }
  const { callee } = operand
  const name = callee.type === 'MemberExpression' ? callee.property : callee
  return name.type !== 'Identifier' || !PREDICATE.test(name.name)
}

const isConstant = (node: AnyNode): boolean =>
  node.type === 'MemberExpression'
    ? isConstant(node.object)
    : node.type === 'Identifier' && CONSTANT.test(node.name)

/** Whether the node is read as a value, and is not part of a longer name or a call. */
function isValue(node: AnyNode, parent: AnyNode, key: string): boolean {
  if (parent.type === 'MemberExpression') {
    return key === 'property' && parent.computed
  }
  if (parent.type === 'Property') {
    return key === 'value' && !parent.shorthand
  }
  if (parent.type === 'AssignmentExpression' || parent.type === 'AssignmentPattern') {
    return key === 'right'
  }
  if (parent.type === 'VariableDeclarator') {
    return key === 'init'
  }
  // In a template it is part of a message.
  if (parent.type === 'TemplateLiteral') {
    return false
  }
  return (
    !['callee', 'tag', 'key', 'id', 'params', 'label'].includes(key) && node.type !== parent.type
  )
}

function* childrenOf(node: AnyNode): Generator<readonly [string, AnyNode]> {
  for (const [key, value] of Object.entries(node)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each?.type === 'string') {
        yield [key, each as AnyNode]
      }
    }
  }
}

/** Edits at the same position keep their order. */
function edited(source: string, edits: readonly Edit[]): string {
  let at = 0
  const pieces = edits
    .toSorted((one, other) => one.from - other.from)
    .flatMap(({ from, to, text }) => {
      const before = source.slice(at, from)
      at = to
      return [before, text]
    })
  return pieces.join('') + source.slice(at)
}

const onOneLine = (code: string): string => code.replace(/\s+/g, ' ').trim()

/** One check of the program, broken by hand, and a test file that must notice. */
export interface Sabotage {
  /** What is broken. */
  readonly name: string
  readonly file: string
  /** Occurs exactly once in the file. A space stands for any white space, so that several lines of code fit on one. */
  readonly find: string
  readonly replace: string
  readonly test: string
}

/** Generated mutants that change nothing that a test could observe. */
interface Equivalent extends Pick<Mutant, 'original' | 'mutated'> {
  readonly file: string
  readonly reason: string
}

const CHANGE = /^ {2}(?<file>\S+): (?<before>.+) →(?: (?<after>.*))?$/

/** Each entry of a list is a line and indented lines below it. Lines that start with `#` are headings. */
function entriesOf(list: string): readonly (readonly string[])[] {
  const text = readFileSync(path.join(import.meta.dirname, list), 'utf8')
  const entries = text.split(/\n(?=\S)/).filter((entry) => !entry.startsWith('#'))
  return entries.map((entry) => entry.trimEnd().split('\n'))
}

function changeIn(line: string): {
  readonly file: string
  readonly before: string
  readonly after: string
} {
  const { file = '', before = '', after = '' } = CHANGE.exec(line)?.groups ?? {}
  if (file === '') {
    throw new Error(`Not "  file: before → after": ${line}`)
  }
  return { file, before, after }
}

export const SABOTAGES: readonly Sabotage[] = entriesOf('sabotages.txt').map(
  ([name = '', change = '', test = '']) => {
    const { file, before, after } = changeIn(change)
    return { name, file, find: before, replace: after, test: test.trim() }
  },
)

export const EQUIVALENTS: readonly Equivalent[] = entriesOf('equivalent.txt').flatMap(
  ([reason = '', ...changes]) =>
    changes.map((line) => {
      const { file, before, after } = changeIn(line)
      return { file, original: before, mutated: after, reason }
    }),
)

/** The source with the sabotage applied. Throws if the text that it replaces is not there exactly once. */
export function sabotaged(source: string, { file, find, replace }: Sabotage): string {
  const pattern = new RegExp(find.split(' ').map(RegExp.escape).join('\\s+'), 'g')
  const occurrences = source.match(pattern)?.length ?? 0
  if (occurrences !== 1) {
    throw new Error(`${file} contains ${JSON.stringify(find)} ${occurrences} times, not once`)
  }
  return source.replace(pattern, () => replace)
}
