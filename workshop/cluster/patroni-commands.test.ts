import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

/** How each command of docs/patroni.md begins, and what runs it, by the file of `npm run test:cluster`. */
const RUN: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'patroni-cluster.ts': [
    ['etcdctl ', `'endpoint', 'health'`],
    ['create role gatehouse ', '`create role gatehouse login password'],
    ['grant pg_monitor ', `'grant pg_monitor to gatehouse'`],
    ['create database ', `'create database gatehouse owner gatehouse'`],
    ['patronictl list', `this.control('list')`],
    ['patronictl switchover ', `this.control('switchover', 'gatehouse', leader`],
    ['pg_basebackup ', `this.#programs.postgres, 'pg_basebackup'`],
  ],
  'matrix.ts': [['haproxy -c ', `run('haproxy', ['-c', '-f', file]`]],
  'events.ts': [
    ['patronictl restart gatehouse node1', `nodes.control('restart', 'gatehouse', \`node`],
    ['patronictl reinit ', `nodes.control('reinit', 'gatehouse'`],
  ],
  'upgrade.ts': [
    ['/usr/lib/postgresql/17/bin/initdb ', `program('initdb'`],
    ['/usr/lib/postgresql/17/bin/pg_upgrade ', `program('pg_upgrade'`],
    ['cp /var/lib/postgresql/15/gatehouse/pg_hba.conf ', `['pg_hba.conf', 'patroni.dynamic.json']`],
    [
      `printf 'gatehouse\\nYes I am aware\\n' | patronictl remove `,
      `nodes.controlWith(['gatehouse', 'Yes I am aware'], 'remove'`,
    ],
    ['/usr/lib/postgresql/17/bin/vacuumdb ', `program('vacuumdb'`],
  ],
  'backup.ts': [
    ['patronictl edit-config ', `nodes.control('edit-config', 'gatehouse'`],
    ['patronictl restart gatehouse --force', `nodes.control('restart', 'gatehouse', '--force')`],
    ['pgbackrest --stanza=gatehouse stanza-create', `pgbackrest(primary, 'stanza-create')`],
    ['pgbackrest --stanza=gatehouse check', `pgbackrest(primary, 'check')`],
    [
      'pgbackrest --stanza=gatehouse --type=full backup',
      `pgbackrest(primary, 'backup', '--type=full')`,
    ],
    ['pgbackrest --stanza=gatehouse --pg1-path=', `...target, 'restore')`],
    ['mv /srv/restored/standby.signal ', `renameSync(path.join(copy.data, 'standby.signal')`],
    ['cat >> /srv/restored/postgresql.auto.conf ', `recovery_target: 'immediate'`],
    ['mv /var/lib/postgresql/15/gatehouse ', 'renameSync(nodes.dataOf(n), '],
    [
      ': > /srv/restored/postgresql.auto.conf',
      `writeFileSync(path.join(restored.data, 'postgresql.auto.conf'), '')`,
    ],
    ['mv /srv/restored /var/lib/', 'renameSync(restored.data, nodes.dataOf(1))'],
  ],
  'restored-server.ts': [
    ['pg_ctl -D /srv/restored -w ', `'start')`],
    ['pg_ctl -D /srv/restored stop', `this.#control('stop')`],
  ],
}

const PROGRAMS =
  /^(?:sudo|systemctl|apt|patronictl|etcdctl|pgbackrest|haproxy|psql|pg_\w+|vacuumdb|initdb) /

/** The code without line breaks and trailing commas, which the formatter decides. */
const unformatted = (code: string): string =>
  code
    .replace(/\s+/g, ' ')
    .replace(/(?<=[([]) /g, '')
    .replace(/,? (?=[)\]])/g, '')

interface Command {
  readonly text: string
  readonly isRun: boolean
}

const page = read('docs/patroni.md')
const commands: Command[] = [...inBlocks(), ...inText()]

// proves C366
test('every command of docs/patroni.md is run by test:cluster with the same options, or is marked as not run', () => {
  assert.ok(commands.length > 40, String(commands.length))
  for (const { text, isRun } of commands) {
    const runs = Object.entries(RUN).flatMap(([file, known]) =>
      known.filter(([start]) => text.startsWith(start)).map(([, code]) => ({ file, code })),
    )
    assert.equal(
      runs.length,
      isRun ? 1 : 0,
      `${text}: run by ${runs.length} steps, and ${isRun ? 'not ' : ''}marked`,
    )
    for (const { file, code } of runs) {
      const source = read(`workshop/cluster/${file}`)
      assert.ok(unformatted(source).includes(unformatted(code)), `${text}: ${file} has no ${code}`)
      for (const [option] of text.matchAll(/(?<=\s)--?[a-zA-Z][\w-]*/g)) {
        assert.ok(source.includes(option), `${text}: ${file} has no ${option}`)
      }
    }
  }
})

test('no step is listed for a command that docs/patroni.md no longer has', () => {
  const unused = Object.values(RUN)
    .flat()
    .filter(([start]) => !commands.some(({ text }) => text.startsWith(start)))
  assert.deepEqual(unused, [])
})

/** The commands of the code blocks, each with its continued lines. */
function inBlocks(): Command[] {
  const found: Command[] = []
  for (const [, block = ''] of page.matchAll(/^```(?:sh|sql)\n(.*?)^```$/gms)) {
    let open = ''
    for (const line of block.trimEnd().split('\n')) {
      open += `${line}\n`
      const quotes = open.split("'").length - 1
      const heredoc = open.includes('<<END') && line !== 'END'
      if (line.endsWith('\\') || quotes % 2 === 1 || heredoc) {
        continue
      }
      found.push(commandOf(open))
      open = ''
    }
    assert.equal(open, '', 'a command without an end')
  }
  return found
}

/** Those in the text and in tables. The name of a program alone is no command. */
function inText(): Command[] {
  const text = page.replaceAll(/^```.*?^```$/gms, '')
  return [...text.matchAll(/`([^`\n]+)`(,? \(?not run)?/g)]
    .filter(([, code = '']) => PROGRAMS.test(code))
    .map(([, code = '', marked]) => commandOf(marked === undefined ? code : `${code}  # not run`))
}

function commandOf(raw: string): Command {
  const [code = '', remark = ''] = raw.split(/\s(?:#|--) (.*)/s)
  const text = code
    .replaceAll('\\\n', '')
    .replace(' -c /etc/patroni/config.yml', '')
    .replace(/^sudo (?:-u postgres )?/, '')
  return { text: text.trim(), isRun: !remark.startsWith('not run') }
}
