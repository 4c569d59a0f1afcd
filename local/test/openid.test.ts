import assert from 'node:assert/strict'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { LibrarySetup, OpenIdSetup } from '../src/recipes/set-up-openid.ts'
import { createLocalFixture, type Machine } from './support/machine.ts'
import { type Files, writeProject } from './support/project.ts'

const SETTINGS =
  "DEBUG = True\nMIDDLEWARE = [\n    'django.middleware.security.SecurityMiddleware',\n]\n"

const DJANGO: Files = {
  'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')",
  'shop/settings.py': SETTINGS,
  'shop/urls.py': 'urlpatterns = []\n',
}

const FLASK: Files = {
  'requirements.txt': 'flask\n',
  'app.py': 'from flask import Flask\n\napp = Flask(__name__)\n',
}

const RAILS: Files = {
  Gemfile: "gem 'rails'\ngem 'sinatra', require: false\n",
  'config/application.rb': 'module Shop\n  class Application < Rails::Application\n  end\nend\n',
}

const APPS: Readonly<Record<string, readonly [library: string, port: number, files: Files]>> = {
  Django: ['django-allauth', 8_000, DJANGO],
  Flask: ['Authlib', 5_000, FLASK],
  FastAPI: [
    'Authlib',
    8_000,
    {
      'requirements.txt': 'fastapi\n',
      'main.py': 'from fastapi import FastAPI\n\napp = FastAPI()\n',
    },
  ],
  Sinatra: [
    'omniauth_openid_connect',
    4_567,
    { Gemfile: "gem 'sinatra'\n", 'app.rb': "require 'sinatra'\n" },
  ],
  PHP: [
    'jumbojett/openid-connect-php',
    8_000,
    { 'composer.json': '{}', 'public/index.php': '<?php\necho 1;\n' },
  ],
  Go: [
    'coreos/go-oidc v3',
    8_080,
    {
      'go.mod': 'module shop\n',
      'main.go': 'package main\n\nfunc main() {\n\thttp.ListenAndServe(":8080", nil)\n}\n',
    },
  ],
}

const settingsOf = async (machine: Machine): Promise<string> =>
  (await machine.run('settings')).stdout

const idOf = async (machine: Machine): Promise<string> =>
  /^tenant_id=(.*)$/m.exec(await machine.read())?.[1] ?? ''

const linesOf = ({ additions }: LibrarySetup): string[] => additions.flatMap(({ lines }) => lines)

test('init in a Django app recommends django-allauth, with the values of the project, and changes no file of the app', async (t) => {
  const { machine, tenant, baseUrl } = await createLocalFixture(t, { realTime: true })
  await writeProject(DJANGO, machine.project)
  const { code, stdout, stderr } = await machine.run('init')
  assert.equal(code, 0, stderr)
  const id = await idOf(machine)
  for (const part of [
    '  wrote        gatehouse.py\n',
    '  Choose       django-allauth (recommended: its lines are below), or this recipe\n',
    'Recommended instead: django-allauth. With it, request.user,',
    'Keep the files above only if a block of a user must take effect at once',
    `  Issuer       ${baseUrl}/edge/auth/${id}\n`,
    `  Client id    ${id}\n`,
    '  Secret       coh_application_key in .service: ',
    '  Callback     http://localhost:8000/accounts/oidc/gatehouse/login/callback/\n',
    'Add to shop/settings.py, at its end:\n',
    `"client_id": "${id}",\n`,
    '(BASE_DIR / ".service").read_text())[1],\n',
    `"settings": {"server_url": "${baseUrl}/edge/auth/${id}"}}]}}\n`,
    'Add to shop/urls.py, in urlpatterns',
    '  path("accounts/", include("allauth.urls")),\n',
    '  Rows         give them a ForeignKey to settings.AUTH_USER_MODEL',
    `${baseUrl}/docs/openid.md\n`,
  ]) {
    assert.ok(stdout.includes(part), `${part} in ${stdout}`)
  }
  assert.doesNotMatch(stdout, /svc_/)
  assert.equal(await machine.read(path.join(machine.project, 'shop/settings.py')), SETTINGS)
  const { json } = await (await tenant()).manage('GET', '/api/resources')
  assert.deepEqual(json.resources[0].callback_urls, [
    'http://localhost:8000/auth/callback',
    'http://127.0.0.1:8000/auth/callback',
    'http://localhost:8000/accounts/oidc/gatehouse/login/callback/',
    'http://127.0.0.1:8000/accounts/oidc/gatehouse/login/callback/',
  ])
  assert.match(await settingsOf(machine), /^callback_mode=either$/m, 'only --openid changes it')
})

test('init prints the library of each framework that has one: lines with issuer, client id and callback, and no key', async (t) => {
  const { machine, clock, baseUrl } = await createLocalFixture(t)
  for (const [label, [library, port, files]] of Object.entries(APPS)) {
    clock.advance({ minutes: 1 })
    const folder = path.join(machine.project, label)
    await writeProject(files, folder)
    const { code, json, stdout, stderr } = await machine.run('init', '--json', '--project', folder)
    assert.equal(code, 0, stderr)
    const { label: found, openid }: { label: string; openid: OpenIdSetup } = json[0].framework
    assert.equal(found, label)
    assert.equal(openid.library?.name, library)
    assert.equal(openid.issuer, `${baseUrl}/edge/auth/${openid.client_id}`)
    assert.equal(new URL(openid.callback_url).origin, `http://localhost:${port}`)
    assert.equal(openid.callback_registered, true)

    assert.ok(openid.library !== null)
    const printed = linesOf(openid.library).join('\n')
    for (const value of [openid.issuer, openid.client_id, 'GATEHOUSE_CLIENT_SECRET']) {
      assert.ok(printed.includes(value), `${label}: ${value} in ${printed}`)
    }
    for (const { file, where, lines } of openid.library.additions) {
      assert.doesNotMatch([file, where, ...lines].join('\n'), /\{[a-z_]+\}(?!\w)/, label)
      assert.ok(lines.length <= 9, `${label}: ${lines.length} lines`)
    }
    assert.doesNotMatch(stdout, /svc_/)
  }
})

test('init recommends no library where our SDK is the better choice, nor for a new app', async (t) => {
  const { machine, clock, baseUrl } = await createLocalFixture(t)
  const express = {
    'package.json': '{"type":"module","dependencies":{"express":"5"}}',
    'index.js': "import express from 'express'\nconst app = express()\n",
  }
  const folder = path.join(machine.project, 'express')
  await writeProject(express, folder)
  const existing = await machine.run('init', '--json', '--project', folder)
  assert.equal(existing.json[0].framework.openid, null)

  const issuer = `${baseUrl}/edge/auth/${existing.json[0].tenant_id}`
  await writeProject({ 'index.js': `${express['index.js']}const issuer = '${issuer}'\n` }, folder)
  const verifying = await machine.run('init', '--json', '--project', folder)
  assert.equal(verifying.json[0].framework.name, 'express', 'it may verify ID tokens itself')

  clock.advance({ minutes: 1 })
  const empty = path.join(machine.project, 'flask')
  await mkdir(empty)
  const args = ['--json', '--framework', 'django', '--project', empty]
  const { framework } = (await machine.run('init', ...args)).json[0]
  assert.deepEqual(
    [framework.openid, framework.callback_url],
    [null, 'http://localhost:3000/auth/callback'],
  )
})

test('init --openid in an app that init does not know prints the three values, and no login ends with tokens in a URL', async (t) => {
  const { machine, tenant, baseUrl } = await createLocalFixture(t, { realTime: true })
  await writeProject({ 'pom.xml': '<project/>' }, machine.project)
  const { code, stdout, stderr } = await machine.run('init', '--openid')
  assert.equal(code, 0, stderr)
  const id = await idOf(machine)
  for (const part of [
    `  Issuer       ${baseUrl}/edge/auth/${id}\n`,
    `  Client id    ${id}\n`,
    '  Secret       coh_application_key in .service: ',
    '  Callback     http://localhost:3000/auth/callback\n',
    '  Mode         callback_mode is code: no URL has a token\n',
    'Give these three values to the OpenID library of your app',
    `${baseUrl}/docs/openid.md\n`,
    'claim --no-wait',
    'Doctor: ',
  ]) {
    assert.ok(stdout.includes(part), `${part} in ${stdout}`)
  }
  assert.doesNotMatch(stdout, /svc_|skipped/)
  assert.match(await settingsOf(machine), /^callback_mode=code$/m)
  const { json } = await (await tenant()).manage('GET', '/api/resources')
  assert.deepEqual(json.resources[0].callback_urls, ['http://localhost:3000/auth/callback'])

  const agents = await machine.read(path.join(machine.project, 'AGENTS.md'))
  for (const part of [
    `${baseUrl}/edge/auth/${id}`,
    'coh_application_key',
    'doctor',
    '/docs/openid.md',
  ]) {
    assert.ok(agents.includes(part), `${part} in ${agents}`)
  }
  assert.doesNotMatch(agents, /svc_/)

  const named = await machine.run('init', '--openid', '--callback', 'https://shop.example.com/oidc')
  assert.match(named.stdout, /^ {2}Callback {5}https:\/\/shop\.example\.com\/oidc$/m)
  const unnamed = await machine.run('init', '--openid', '--json')
  assert.equal(unnamed.json[0].openid.callback_registered, true)
})

test('init --openid leaves the list of callbacks that a project has, and says how to add one', async (t) => {
  const { machine } = await createLocalFixture(t, { realTime: true })
  await machine.run('init')
  await machine.run('provision', 'https://shop.example.com/cb')
  const { stdout } = await machine.run('init', '--openid')
  assert.match(
    stdout,
    /localhost:3000\/auth\/callback is not registered: npx @gatehouse-auth\/local provision --add http/,
  )
  assert.match(await settingsOf(machine), /^callback_mode=code$/m)
})

test('init --openid in a framework with a library prints its lines, and writes no recipe', async (t) => {
  const { machine } = await createLocalFixture(t, { realTime: true })
  await writeProject(FLASK, machine.project)
  const { code, stdout, stderr } = await machine.run('init', '--openid', '--port', '5055')
  assert.equal(code, 0, stderr)
  for (const part of [
    '  App          Flask (app.py)\n',
    '  Callback     http://localhost:5055/auth/callback\n',
    'Library: Authlib. With it, ',
    '\n  @app.get("/auth/callback")\n',
    '  pip install authlib requests\n',
    '  flask --app app.py run --host localhost --port 5055\n',
  ]) {
    assert.ok(stdout.includes(part), `${part} in ${stdout}`)
  }
  assert.doesNotMatch(stdout, /Recommended|wrote/)
  assert.ok(!(await readdir(machine.project)).includes('gatehouse.py'))
})

test('in an app of Rails init prints omniauth_openid_connect, also beside the gem of Sinatra', async (t) => {
  const { machine } = await createLocalFixture(t, { realTime: true })
  await writeProject(RAILS, machine.project)
  const { code, stdout, stderr } = await machine.run('init')
  assert.equal(code, 0, stderr)
  for (const part of [
    '  App          Rails\n',
    '  Callback     http://localhost:3000/auth/openid_connect/callback\n',
    'Add to config/initializers/omniauth.rb, a new file:\n',
    '  get "/auth/openid_connect/callback", to: "sessions#create"\n',
    '  SWD.url_builder = URI::HTTP\n',
    '  bundle add omniauth_openid_connect omniauth-rails_csrf_protection\n',
    '  bin/rails server\n',
  ]) {
    assert.ok(stdout.includes(part), `${part} in ${stdout}`)
  }
  assert.deepEqual(
    (await readdir(machine.project)).filter((name) => /\.rb$/.test(name)),
    [],
  )
})

test('a second init in an app that uses its library writes no recipe, and repeats no lines', async (t) => {
  const { machine } = await createLocalFixture(t, { realTime: true })
  await writeProject(DJANGO, machine.project)
  const first = await machine.run('init', '--openid', '--json')
  const { library }: OpenIdSetup = first.json[0].openid
  assert.ok(library !== null)
  const settings = path.join(machine.project, 'shop/settings.py')
  const [block] = library.additions
  await writeProject(
    { 'shop/settings.py': `${SETTINGS}${block?.lines.join('\n')}\n` },
    machine.project,
  )
  const before = await readFile(settings, 'utf8')

  const { code, stdout, stderr } = await machine.run('init')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Library: django-allauth/m)
  assert.doesNotMatch(stdout, /Add to|wrote/)
  assert.equal(await readFile(settings, 'utf8'), before)
  assert.ok(!(await readdir(machine.project)).includes('gatehouse.py'))
})
