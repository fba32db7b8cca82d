import type { Failure } from './supabase-lite/index.ts'

const MAX_LENGTH = 8192
const MAX_LEVELS = 4
const MAX_EMBEDS = 10

/** Returns an error for an expensive data API query. Embedding a table in itself squares its rows: 1,000 items become 148 MB and take 12 s. */
export function refuseLargeQuery(request: Request): Failure | undefined {
  const { pathname, search, searchParams } = new URL(request.url)
  if (search.length > MAX_LENGTH) return refuse(`The query is longer than ${MAX_LENGTH} characters`)
  const root = decoded(pathname.split('/').findLast(Boolean) ?? '')
  const chains = searchParams.getAll('select').flatMap((select) => embeddedIn(select, root))
  if (chains.length > MAX_EMBEDS) return refuse(`The query embeds tables more than ${MAX_EMBEDS} times`)
  if (chains.some((chain) => chain.length > MAX_LEVELS + 1))
    return refuse(`The query embeds more than ${MAX_LEVELS} levels of tables`)
  if (chains.some((chain) => new Set(chain).size < chain.length))
    return refuse('The query embeds a table in itself')
  return undefined
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns the path from the root table to each embedded table. */
function embeddedIn(select: string, root: string): string[][] {
  const chains: string[][] = []
  const open: string[] = []
  for (const [, before, mark] of select.matchAll(/([^(),]*)([(),])/g)) {
    if (mark === ')') open.pop()
    if (mark !== '(') continue
    open.push(tableIn(before!))
    chains.push([root, ...open])
  }
  return chains
}

/** Returns the table name in `alias:table!hint`, which may be spread (`...`) or quoted. */
function tableIn(embed: string): string {
  return embed
    .replace(/^.*:/s, '')
    .replace(/!.*$/s, '')
    .replace(/[."\s]/g, '')
}

const refuse = (message: string): Failure => ({ status: 400, code: 'PGRST100', message })
