import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { unpackedPackages } from '../../service/test/support/actors/debian-program.ts'

/** How Debian's packages, or none, run a recipe without our SDK. */
export interface Language {
  readonly packages: readonly string[]
  /** A file that the unpacked packages contain. */
  readonly file: string
  /**
   * The programs and libraries of these packages are below `root`. The app in `folder` listens on `port` of localhost, and
   * may be started from any other folder.
   */
  command(root: string, port: number, folder: string): Command
  /** The file of the recipe's pages, and code for its end, or before `before`: /notes/… for users, also by POST. */
  readonly pages?: { readonly file: string; readonly before?: string; readonly code: string }
  /** The variables with which the framework redirects http to https. */
  readonly httpsOnly?: Readonly<Record<string, string>>
  /** Mends what the packages would do as they are installed. */
  prepare?(root: string): Promise<void>
}

interface Command {
  /** A compiler, which ends before the app starts. */
  readonly build?: readonly string[]
  readonly run: readonly string[]
  /** The programs that init names, with their path and first arguments. */
  readonly programs?: Readonly<Record<string, readonly string[]>>
  readonly env: Readonly<Record<string, string>>
  /** It starts processes that outlive it. */
  readonly hasWorkers?: true
}

/** Debian's libraries are for Debian's interpreter, whatever is first on the PATH. */
const PYTHON = '/usr/bin/python3'
const pythonEnv = (root: string): Record<string, string> => ({
  PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
  PYTHONUNBUFFERED: '1',
})

export const LANGUAGES: Readonly<Record<string, Language>> = {
  http: {
    packages: [],
    file: '.',
    command: (_root, _port, folder) => ({
      run: [process.execPath, join(folder, 'server.js')],
      env: {},
    }),
  },
  flask: {
    packages: ['python3-flask'],
    file: 'usr/lib/python3/dist-packages/flask/app.py',
    pages: {
      file: 'app.py',
      code: '@app.route("/notes/<path:page>", methods=["GET", "POST"])\ndef more(page):\n    return require_user()\n',
    },
    command: (root, port, folder) => ({
      run: [PYTHON, '-m', 'flask', '--app', join(folder, 'app.py'), 'run', '--port', String(port)],
      programs: { flask: [PYTHON, '-m', 'flask'] },
      env: pythonEnv(root),
    }),
  },
  fastapi: {
    packages: ['python3-fastapi', 'python3-uvicorn'],
    file: 'usr/lib/python3/dist-packages/fastapi/applications.py',
    pages: {
      file: 'app.py',
      code: '@app.get("/notes/{page:path}")\n@app.post("/notes/{page:path}")\ndef more(user=Depends(require_user)):\n    return user\n',
    },
    command: (root, port, folder) => ({
      run: [PYTHON, '-m', 'uvicorn', '--app-dir', folder, 'app:app', '--port', String(port)],
      programs: { uvicorn: [PYTHON, '-m', 'uvicorn'] },
      env: pythonEnv(root),
    }),
  },
  django: {
    packages: ['python3-django'],
    file: 'usr/lib/python3/dist-packages/django/__init__.py',
    pages: {
      file: 'app.py',
      before: 'if __name__',
      code: 'import os\nurlpatterns.append(path("notes/<path:page>", sign_in_required(lambda request, page: HttpResponse(page))))\nsettings.SECURE_SSL_REDIRECT = "HTTPS_ONLY" in os.environ\n',
    },
    httpsOnly: { HTTPS_ONLY: '1' },
    command: (root, port, folder) => ({
      run: [PYTHON, join(folder, 'app.py'), 'runserver', '--noreload', `localhost:${port}`],
      programs: { python: [PYTHON] },
      env: pythonEnv(root),
    }),
  },
  go: {
    packages: ['golang-go'],
    file: 'usr/share/go-1.19/src/net/http/server.go',
    pages: {
      file: 'main.go',
      code: 'func init() {\n\thttp.HandleFunc("/notes/", signInRequired(func(http.ResponseWriter, *http.Request, *User) {}))\n}\n',
    },
    // In the packages, src is a link to an absolute path.
    prepare: async (root) => {
      for (const name of ['src', 'test']) {
        await symlinkTo(join(root, 'usr/share/go-1.19', name), join(root, 'usr/lib/go-1.19', name))
      }
    },
    command: (root, _port, folder) => {
      const home = join(root, 'usr/lib/go-1.19')
      const env = {
        GOROOT: home,
        GOCACHE: join(root, 'cache'),
        GOFLAGS: '-mod=mod',
        CGO_ENABLED: '0',
        GO111MODULE: 'off',
      }
      const go = join(home, 'bin/go')
      const build = [go, 'build', '-o', 'app', 'gatehouse.go', 'main.go']
      return { build, run: [join(folder, 'app')], programs: { go: [go] }, env }
    },
  },
  php: {
    packages: ['php-cli', 'php-apcu'],
    file: 'usr/bin/php8.2',
    pages: {
      file: 'public/index.php',
      code: "if (str_starts_with($_SERVER['REQUEST_URI'], '/notes/')) Gatehouse\\requireUser();\n",
    },
    command: (root, port, folder) => {
      const settings = [
        `extension_dir=${join(root, 'usr/lib/php/20220829')}`,
        'extension=apcu.so',
        'apc.enable_cli=1',
      ]
      const php = [
        join(root, 'usr/bin/php8.2'),
        '-n',
        ...settings.flatMap((setting) => ['-d', setting]),
      ]
      return {
        run: [
          ...php,
          '-S',
          `localhost:${port}`,
          '-t',
          join(folder, 'public'),
          join(folder, 'public/index.php'),
        ],
        programs: { php },
        env: { PHP_CLI_SERVER_WORKERS: '4' },
        hasWorkers: true,
      }
    },
  },
  sinatra: {
    packages: ['ruby-sinatra', 'ruby-webrick'],
    file: 'usr/bin/ruby3.1',
    pages: {
      file: 'app.rb',
      code: "get('/notes/*') { require_user.to_json }\npost('/notes/*') { require_user.to_json }\n",
    },
    command: (root, port, folder) => {
      const machine = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
      const libraries = [
        'ruby/3.1.0',
        'ruby/vendor_ruby',
        `${machine}/ruby/3.1.0`,
        `${machine}/ruby/vendor_ruby/3.1.0`,
      ]
      const env = {
        RUBYLIB: [
          ...libraries.map((each) => join(root, 'usr/lib', each)),
          join(root, 'usr/share/rubygems-integration/all'),
        ].join(':'),
        GEM_PATH: join(root, 'usr/share/rubygems-integration/all'),
        LD_LIBRARY_PATH: join(root, 'usr/lib', machine),
      }
      const ruby = join(root, 'usr/bin/ruby3.1')
      const run = [
        ruby,
        join(folder, 'app.rb'),
        '-p',
        String(port),
        '-o',
        'localhost',
        '-s',
        'webrick',
      ]
      return { run, programs: { ruby: [ruby] }, env }
    },
  },
}

const symlinkTo = async (target: string, link: string): Promise<void> => {
  await rm(link, { force: true })
  await symlink(target, link)
}

/** The folder with the packages of a language; a sentence if they can't be had. */
export async function unpackedLanguage(
  name: string,
  language: Language,
): Promise<{ root: string } | string> {
  const { packages, file, prepare } = language
  if (packages.length === 0) {
    return { root: '/' }
  }
  try {
    const root = await unpackedPackages(name, packages, file)
    await prepare?.(root)
    return { root }
  } catch (error) {
    return `${name}: Debian's packages ${packages.join(', ')} are out of reach: ${String(error)}`
  }
}
