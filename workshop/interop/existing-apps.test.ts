import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLocalFixture } from '../../local/test/support/machine.ts'
import { type Files, writeProject } from '../../local/test/support/project.ts'
import { Browser } from '../../service/test/support/actors/browser.ts'
import { run } from '../../service/test/support/process/run.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { overHttp } from '../../service/test/support/transport/http-transport.ts'
import { LANGUAGES, unpackedLanguage } from './languages.ts'
import { appFolder, platformFile, serveApp } from './platform.ts'

/** An app before Gatehouse. Its page says "Shop". */
interface ExistingApp {
  readonly files: Files
  /** Writes files, as the template of a framework does, before `files`. */
  readonly template?: readonly string[]
  /** What the developer changes, by what init prints: the lines to add, and a page with the user. */
  readonly pages: readonly {
    readonly file: string
    readonly edits: readonly (readonly [from: string, to: string])[]
  }[]
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
    pages: [
      {
        file: 'shop/__init__.py',
        edits: [
          [
            '    Flask,\n)',
            '    Flask,\n)\nfrom .gatehouse import current_user, gatehouse, require_user',
          ],
          ['(__name__)', '(__name__)\n    web.register_blueprint(gatehouse)'],
          ['return "Shop"', 'return f"Shop of {current_user()}"'],
        ],
      },
    ],
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
    pages: [
      {
        file: 'api/main.py',
        edits: [
          [
            'import FastAPI',
            'import Depends, FastAPI\nfrom .gatehouse import add_sign_in, current_user, require_user',
          ],
          ['    title="Shop",\n)', '    title="Shop",\n)\nadd_sign_in(web)'],
          [
            'home():\n    return "Shop"',
            'home(user=Depends(current_user)):\n    return f"Shop of {user}"',
          ],
        ],
      },
    ],
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
    pages: [
      {
        file: 'shop/urls.py',
        edits: [
          ['from django.urls', 'from gatehouse import current_user\nfrom django.urls'],
          ['HttpResponse("Shop")', 'HttpResponse(f"Shop of {current_user(request)}")'],
        ],
      },
      {
        file: 'shop/settings.py',
        edits: [
          [
            "    'django.middleware.security.SecurityMiddleware',",
            "    'django.middleware.security.SecurityMiddleware',\n    'gatehouse.SignIn',",
          ],
        ],
      },
    ],
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
    pages: [
      {
        file: 'main.go',
        edits: [
          ['os.Getenv("PORT"), mux)', 'os.Getenv("PORT"), withSignIn(mux))'],
          [
            'fmt.Fprint(w, "Shop")',
            'if user := currentUser(w, r); user != nil {\n\t\t\tfmt.Fprint(w, "Shop of "+user.Email)\n\t\t} else {\n\t\t\tfmt.Fprint(w, "Shop")\n\t\t}',
          ],
        ],
      },
    ],
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
    pages: [
      {
        file: 'public/index.php',
        edits: [
          ['namespace Shop;', "namespace Shop;\n\nrequire_once __DIR__ . '/../gatehouse.php';"],
          ["'Shop';", "'Shop of ' . (\\Gatehouse\\user()['email'] ?? '');"],
        ],
      },
    ],
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
    pages: [
      {
        file: 'app.rb',
        edits: [
          [
            "require 'sinatra'",
            "require 'sinatra'\nrequire_relative 'gatehouse'\nregister Gatehouse",
          ],
          ["'Shop'", '"Shop of #{current_user}"'],
        ],
      },
    ],
  },
}

for (const [framework, { files, template, pages }] of Object.entries(APPS)) {
  test(`init in an app of ${framework} that exists: with the printed lines and command it runs, and users sign in`, async (t) => {
    const language = LANGUAGES[framework]
    assert.ok(language)
    const unpacked = await unpackedLanguage(framework, language)
    if (typeof unpacked === 'string') {
      return t.skip(unpacked)
    }
    const port = await freePort()
    const url = `http://localhost:${port}`
    const { env, programs = {} } = language.command(unpacked.root, port, '.')
    const { machine, tenant, baseUrl, clock } = await createLocalFixture(t, { realTime: true })
    const { project } = machine
    const [maker, ...args] = template ?? []
    if (maker !== undefined) {
      await run(maker, args, { cwd: project, env: { ...process.env, ...env } })
    }
    await writeProject(files, project)

    const { code, json, stderr } = await machine.run('init', '--json', '--port', String(port))
    assert.equal(code, 0, stderr)
    const { additions, start } = json[0].framework
    assert.ok(additions.length > 0)
    for (const { file: name, edits } of pages) {
      let source = await readFile(join(project, name), 'utf8')
      for (const [from, to] of edits) {
        assert.ok(source.includes(from), from)
        source = source.replace(from, () => to)
      }
      await writeFile(join(project, name), source)
    }

    const [program = '', ...rest] = String(start).split(' ')
    const [file = '', ...before] =
      programs[program] ?? assert.fail(`init names no program of ${framework}: ${start}`)
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

/** Apps with the development server of Vite. */
const VITE_APPS: Readonly<
  Record<
    string,
    { readonly files: Files; readonly config?: string; readonly dev: readonly string[] }
  >
> = {
  'a Vite SPA': {
    files: {
      'package.json': '{"type":"module","scripts":{"dev":"vite"},"devDependencies":{"vite":"8"}}',
      'index.html': '<script type="module" src="/src/main.ts"></script>',
      'src/main.ts': "document.body.append('Shop')\n",
      'vite.config.ts':
        "import { defineConfig } from 'vite'\n\nexport default defineConfig({\n  plugins: [],\n})\n",
    },
    config: 'vite.config.ts',
    dev: ['vite/bin/vite.js', '--strictPort'],
  },
  SvelteKit: {
    files: {
      'package.json':
        '{"type":"module","scripts":{"dev":"vite dev"},"devDependencies":{"@sveltejs/kit":"3","vite":"8"}}',
      'vite.config.ts':
        "import { sveltekit } from '@sveltejs/kit/vite'\nimport { defineConfig } from 'vite'\n\nexport default defineConfig({\n\tplugins: [sveltekit()]\n})\n",
      'src/app.html':
        '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'src/routes/+page.svelte': '<p>Shop</p>\n',
    },
    dev: ['vite/bin/vite.js', 'dev', '--strictPort'],
  },
  'React Router': {
    files: {
      'package.json':
        '{"type":"module","scripts":{"dev":"react-router dev"},"dependencies":{"isbot":"5"},"devDependencies":{"@react-router/dev":"8"}}',
      'vite.config.ts':
        "import { reactRouter } from '@react-router/dev/vite'\nimport { defineConfig } from 'vite'\n\nexport default defineConfig({\n  plugins: [reactRouter()],\n})\n",
      'app/routes.ts':
        "import { type RouteConfig, index } from '@react-router/dev/routes'\n\nexport default [index('routes/home.tsx')] satisfies RouteConfig\n",
      'app/routes/home.tsx': 'export default function Home() {\n  return <p>Shop</p>\n}\n',
      'app/root.tsx':
        'import { Outlet, Scripts } from \'react-router\'\n\nexport default function App() {\n  return <html lang="en"><body><Outlet /><Scripts /></body></html>\n}\n',
    },
    config: 'vite.config.ts',
    dev: ['@react-router/dev/bin.cjs', 'dev', '--strictPort'],
  },
  Astro: {
    files: {
      'package.json':
        '{"type":"module","scripts":{"dev":"astro dev"},"dependencies":{"astro":"7"}}',
      'astro.config.mjs':
        "import { defineConfig } from 'astro/config'\n\nexport default defineConfig({})\n",
      'src/pages/index.astro':
        '<html lang="en"><head><title>Shop</title></head><body>Shop</body></html>\n',
    },
    config: 'astro.config.mjs',
    dev: ['astro/bin/astro.mjs', 'dev', '--force'],
  },
  Nuxt: {
    files: {
      'package.json': '{"type":"module","scripts":{"dev":"nuxt dev"},"dependencies":{"nuxt":"4"}}',
      'nuxt.config.ts':
        "export default defineNuxtConfig({\n  compatibilityDate: '2026-01-01',\n  telemetry: false,\n})\n",
      'app/app.vue': '<template><p>Shop</p></template>\n',
    },
    config: 'nuxt.config.ts',
    dev: ['nuxt/bin/nuxt.mjs', 'dev'],
  },
}

/** It serves no file of the root, and needs no line. */
const NEVER_PUBLISHED = ['SvelteKit']

for (const [name, { files, config, dev }] of Object.entries(VITE_APPS)) {
  test(`with the lines that init prints for ${name}, the development server publishes no key`, async (t) => {
    const { machine } = await createLocalFixture(t, { realTime: true })
    const folder = await appFolder()
    await writeProject(files, folder)
    /** What the development server responds to the paths of the files with secrets. */
    const published = async (): Promise<string> => {
      const port = await freePort()
      const url = `http://localhost:${port}`
      const [script = '', ...args] = dev
      const command = {
        program: process.execPath,
        args: [platformFile(script), ...args, '--port', String(port)],
      }
      await serveApp(t, { ...command, url, cwd: folder, env: {}, hasWorkers: true })
      const files = [
        '.service',
        '.service?raw',
        '.service?import&raw',
        `@fs${folder}/.service`,
        '.service.secret',
      ]
      // Nuxt has Vite's own paths below /_nuxt/.
      const paths = files.flatMap((file) => [`/${file}`, `/_nuxt/${file}`])
      const responses = await Promise.all(
        paths.map(async (path) => (await fetch(url + path)).text()),
      )
      return responses.join('\n')
    }
    const { code, json, stdout, stderr } = await machine.run('init', '--json', '--project', folder)
    assert.equal(code, 0, stdout + stderr)
    const isPublished = /svc_man_/.test(await published())
    assert.equal(isPublished, !NEVER_PUBLISHED.includes(name), 'without the line')
    if (config !== undefined) {
      const additions: { file: string; lines: string[] }[] = json[0].framework.additions
      const { lines } = additions.find(({ file }) => file === config) ?? { lines: [] }
      const before = await readFile(join(folder, config), 'utf8')
      // The first brace after the export is that of the options.
      const after = before.replace(
        /(export default .*?\{)/s,
        (start) => `${start}\n${lines.join('\n')}\n`,
      )
      await writeFile(join(folder, config), after)
    }
    assert.doesNotMatch(await published(), /svc_\w|GATEHOUSE_SECRET/)
  })
}
