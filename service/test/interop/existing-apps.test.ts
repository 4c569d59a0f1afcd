import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLocalFixture } from '../../../local/test/support/machine.ts'
import { type Files, writeProject } from '../../../local/test/support/project.ts'
import { Browser } from '../support/actors/browser.ts'
import { run } from '../support/process/run.ts'
import { freePort } from '../support/transport/free-port.ts'
import { overHttp } from '../support/transport/http-transport.ts'
import { LANGUAGES, unpackedLanguage } from './languages.ts'
import { appFolder, platformFile, serveApp } from './platform.ts'

/** An app before Gatehouse. Its page says "Shop". */
interface ExistingApp {
  readonly files: Files
  /** Writes files, as the template of a framework does, before `files`. */
  readonly template?: readonly string[]
  /** The page with the user, as the developer writes it by what init prints. */
  readonly page: { readonly file: string; readonly edits: readonly (readonly [from: string, to: string])[] }
}

const APPS: Readonly<Record<string, ExistingApp>> = {
  flask: {
    files: {
      'requirements.txt': 'flask\n',
      'shop/__init__.py': `"""A shop."""
from flask import (
    Flask,
)

def create_app():
    web = Flask(__name__)

    @web.get("/")
    def home():
        return "Shop"

    return web
`,
    },
    page: { file: 'shop/__init__.py', edits: [['return "Shop"', 'return f"Shop of {current_user()}"']] },
  },
  fastapi: {
    files: {
      'pyproject.toml': '[project]\ndependencies = ["fastapi"]\n',
      'api/__init__.py': '',
      'api/main.py': `from fastapi import FastAPI

web: FastAPI = FastAPI(
    title="Shop",
)

@web.get("/")
def home():
    return "Shop"
`,
    },
    page: {
      file: 'api/main.py',
      edits: [
        ['import FastAPI', 'import Depends, FastAPI'],
        ['home():\n    return "Shop"', 'home(user=Depends(current_user)):\n    return f"Shop of {user}"'],
      ],
    },
  },
  django: {
    template: ['/usr/bin/python3', '-m', 'django', 'startproject', 'shop', '.'],
    files: {
      'shop/urls.py': `from django.http import HttpResponse
from django.urls import path

urlpatterns = [
    path("", lambda request: HttpResponse("Shop")),
]
`,
    },
    page: {
      file: 'shop/urls.py',
      edits: [
        ['from django.urls', 'from gatehouse import current_user\nfrom django.urls'],
        ['HttpResponse("Shop")', 'HttpResponse(f"Shop of {current_user(request)}")'],
      ],
    },
  },
  go: {
    files: {
      'go.mod': 'module shop\n\ngo 1.19\n',
      'main.go': `package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "Shop")
	})
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), mux))
}
`,
    },
    page: {
      file: 'main.go',
      edits: [
        [
          'fmt.Fprint(w, "Shop")',
          'if user := currentUser(w, r); user != nil {\n\t\t\tfmt.Fprint(w, "Shop of "+user.Email)\n\t\t} else {\n\t\t\tfmt.Fprint(w, "Shop")\n\t\t}',
        ],
      ],
    },
  },
  php: {
    files: {
      'composer.json': '{"name":"shop/shop"}',
      'public/index.php': `<?php

declare(strict_types=1);

namespace Shop;

echo 'Shop';
`,
    },
    page: { file: 'public/index.php', edits: [["'Shop';", "'Shop of ' . (\\Gatehouse\\user()['email'] ?? '');"]] },
  },
  sinatra: {
    files: {
      Gemfile: "gem 'sinatra'\n",
      'app.rb': `require 'sinatra'

get '/' do
  'Shop'
end
`,
    },
    page: { file: 'app.rb', edits: [["'Shop'", '"Shop of #{current_user}"']] },
  },
}

for (const [framework, { files, template, page }] of Object.entries(APPS)) {
  test(`init --apply in an app of ${framework} that exists: with the printed command it runs, and users sign in`, async (t) => {
    const language = LANGUAGES[framework]
    assert.ok(language)
    const unpacked = await unpackedLanguage(framework, language)
    if (typeof unpacked === 'string') return t.skip(unpacked)
    const port = await freePort()
    const url = `http://localhost:${port}`
    const { env, programs = {} } = language.command(unpacked.root, port)
    const { machine, tenant, baseUrl, clock } = await createLocalFixture(t, { realTime: true })
    const { project } = machine
    const [maker, ...args] = template ?? []
    if (maker !== undefined) await run(maker, args, { cwd: project, env: { ...process.env, ...env } })
    await writeProject(files, project)

    const { code, json, stderr } = await machine.run('init', '--apply', '--json', '--port', String(port))
    assert.equal(code, 0, stderr)
    const { patches, note, start } = json[0].framework
    assert.ok(patches.length > 0 && patches.every(({ applied }: { applied: boolean }) => applied))
    assert.equal(note, null, 'nothing is left to the developer')
    let source = await readFile(join(project, page.file), 'utf8')
    for (const [from, to] of page.edits) {
      assert.ok(source.includes(from), from)
      source = source.replace(from, () => to)
    }
    await writeFile(join(project, page.file), source)

    const [program = '', ...rest] = String(start).split(' ')
    const [file = '', ...before] = programs[program] ?? assert.fail(`init names no program of ${framework}: ${start}`)
    const command = { program: file, args: [...before, ...rest], cwd: project, hasWorkers: true }
    await serveApp(t, { ...command, url, env: { ...env, GO111MODULE: 'on' } })
    const browser = new Browser({ origins: [baseUrl, url], transport: overHttp, now: clock.now })
    await browser.open(url)
    assert.match(browser.page.text, /Shop/, 'the app has its pages')
    assert.doesNotMatch(browser.page.text, /ada@example\.com/)
    await browser.open(`${url}/login`)
    await browser.press('Ada Lovelace')
    await browser.press('Cancel')
    assert.match(browser.page.text, /You cancelled the sign-in/)
    await browser.follow('Sign in again')
    await browser.press('Ada Lovelace')
    assert.equal((await browser.press('Continue')).href, `${url}/`)
    assert.match(browser.page.text, /Shop of .*ada@example\.com/)
    const form = { method: 'POST', headers: { Origin: url }, body: new URLSearchParams() }
    const { headers } = await browser.request(`${url}/logout`, form)
    assert.equal(new URL(headers.get('location') ?? '', url).href, `${url}/`)
    assert.deepEqual(await (await tenant()).eventKinds(), [
      'login_started',
      'consent_denied',
      'login_started',
      'authorize',
      'logout',
    ])
  })
}

const VITE_CONFIGS: Readonly<Record<string, string>> = {
  'of its template': "import { defineConfig } from 'vite'\n\nexport default defineConfig({\n  plugins: [],\n})\n",
  'in one line': "import { defineConfig } from 'vite'\n\nexport default defineConfig({ plugins: [] })\n",
}

for (const [kind, config] of Object.entries(VITE_CONFIGS)) {
  test(`after init --apply in a Vite SPA with the configuration ${kind}, its development server publishes no key`, async (t) => {
    const { machine } = await createLocalFixture(t, { realTime: true })
    const folder = await appFolder()
    await writeProject(
      {
        'package.json': '{"type":"module","scripts":{"dev":"vite"},"devDependencies":{"vite":"8"}}',
        'index.html': '<script type="module" src="/src/main.ts"></script>',
        'src/main.ts': "document.body.append('Shop')\n",
        'vite.config.ts': config,
      },
      folder,
    )
    const init = async (...options: string[]) => {
      const { code, stderr } = await machine.run('init', '--project', folder, ...options)
      assert.equal(code, 0, stderr)
    }
    /** What the development server responds to each of these paths. */
    const responses = async (): Promise<string[]> => {
      const port = await freePort()
      const url = `http://localhost:${port}`
      const args = [platformFile('vite/bin/vite.js'), '--port', String(port), '--strictPort']
      await serveApp(t, { url, program: process.execPath, args, cwd: folder, env: {}, hasWorkers: true })
      const files = ['/.service', '/.service?raw', '/.service?import&raw', `/@fs${folder}/.service`, '/.service.secret']
      const paths = [...files, '/src/main.ts']
      return Promise.all(paths.map(async (path) => (await fetch(url + path)).text()))
    }
    await init()
    const [published = ''] = await responses()
    assert.match(published, /svc_man_/, 'without the patch it publishes the management key')
    await init('--apply')
    const [page = '', ...keys] = (await responses()).reverse()
    assert.doesNotMatch(keys.join(''), /svc_\w|GATEHOUSE_SECRET/)
    assert.match(page, /import "\/src\/auth\.ts/)
  })
}
