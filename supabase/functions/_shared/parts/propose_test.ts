import assert from 'node:assert/strict'
import { hasEnds, type PartKind, type Position } from '../kinds.ts'
import { partsIn, proposeKind } from './propose.ts'
import seen from './seen-names.json' with { type: 'json' }

const proposed = (name: string, type: string | null = null) => {
  const { kind, position } = proposeKind({ name, type, earlier: [] })
  return [position, kind ?? 'none'].filter(Boolean).join(' ')
}

const own = (name: string, kind: PartKind | null, position: Position | null = null) => ({
  name,
  kind,
  position,
})

/** Names that riders write, each with what it is. Sources are public: a repository's file at a commit. */
const SEEN = seen.flatMap(({ names }) =>
  Object.entries(names as Record<string, string[]>).flatMap(([kind, texts]) =>
    texts.map((name) => ({ name, kind })),
  ),
)

/** A tenth of the names, chosen by their FNV-1a hashes before the words and lines were written, and not used to write them. */
const isHeldOut = ({ name }: { name: string }): boolean => {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash % 10 === 0
}

Deno.test('proposes what riders mean by the names they write', () => {
  const wrongOf = (names: typeof SEEN) => names.filter(({ name, kind }) => proposed(name) !== kind)
  const heldOut = SEEN.filter(isHeldOut)
  const others = SEEN.filter((name) => !isHeldOut(name))
  assert.ok(SEEN.length >= 300 && heldOut.length >= 30)
  assert.equal(new Set(SEEN.map(({ name }) => name)).size, SEEN.length)
  // In percent. A change that gets one more name wrong should say so.
  assert.ok(wrongOf(others).length / others.length <= 0.05, JSON.stringify(wrongOf(others)))
  assert.ok(wrongOf(heldOut).length / heldOut.length <= 0.15)
})

Deno.test('a name says a kind or none, in the language of its words', () => {
  const NAMES: Record<string, string> = {
    chain:
      'chain kmc x11 / Chain 11 speed /  SRAM  CHAIN, new / Waxed KMC X11 chain / Hot-waxed chain / CN-HG701 / KMC X12 / Kette gewechselt / chaîne 11v',
    'front tire':
      'front tire gp5000 / Front tire GP 5000 S TR 28mm tubeless / Pneu AV / Vorderreifen / Voorband / Copertone anteriore',
    'rear tire':
      'Schwalbe Pro One 30, rear / Tire (rear) / pneu arrière / Vittoria Corsa N.EXT, hinten / Cubierta trasera / Achterband Schwalbe',
    'both tire': 'Front and rear tires / Tires / Schwalbe Marathon Plus 35, pair / Pneus / copertoni',
    tire: 'GP 5000 / GravelKing / Pro One / 37-622',
    'front brake pads': 'Brake pads front resin / Pads front / Bremsbeläge vorne',
    'both brake pads': 'Kool-Stop Salmon pads, both / Bremsbeläge vorne und hinten',
    'brake pads': 'Pads / Disc brake pads / Rim brake pads / Guide RSC pads / plaquettes de frein',
    cassette: 'cassette shimano 11-32 / Shimano Ultegra 11-34 / 11-34T',
    'both wheel': 'Winter wheelset / Rim brake wheelset / Laufradsatz',
    pedals: 'Assioma / Shimano 105 SPD-SL',
    'bottom bracket': 'BB30 / SRAM DUB BB86 / boîtier de pédalier',
    stem: 'Potence / potencia / Vorbau',
    none: [
      'Chain wear gauge / Chain waxed / Waxed / Quick link for the chain / Chain quick link / Waxed drivetrain, chain and all',
      'Shimano M8100 / Toe straps / Pedalboard / Pedal Wrench / Saddle bag / Saddlebag / Topeak Saddlebag L / Gel saddle pad',
      'Handlebar bag with chain / Chainstay Protector / Training wheels / Ritchey Wheelbags, pair / Speed sensor, rear wheel',
      'Rear wheel rebuilt / Front Hub / Tirelever / Tyrelevers Schwalbe / Tire Pump / Studded tires, pair (in the garage)',
      'Fork service / Bike fit / Bike fit 11-27 / Cleaned the chain / Kettenschloss / Sattel reinigen / cable de freno',
      'constructor / __proto__ / Front / 💥 / سلسلة / x',
    ].join(' / '),
  }
  for (const [kind, names] of Object.entries(NAMES))
    for (const name of names.split(' / ')) assert.equal(proposed(name), kind, name)
  assert.equal(proposed(''), 'none')
  assert.equal(proposed('ﾁ'.repeat(1000)), 'none')
})

Deno.test('the type says what a name leaves out, and nothing else', () => {
  assert.equal(proposed('B17 Special', 'Saddle'), 'saddle')
  assert.equal(proposed('Aggressor 2.3, rear', 'Tires'), 'rear tire')
  assert.equal(proposed('Tubeless Ready', 'Tires'), 'tire')
  assert.equal(proposed('Lightweight Meilenstein, pair', 'Wheels'), 'both wheel')
  assert.equal(proposed('Power meter battery', 'Pedals'), 'none')
  assert.equal(proposed('Sealant', 'Tires'), 'none')
  assert.equal(proposed('Cleats', 'Pedals'), 'cleats')
  assert.equal(proposed('Shimano M8100', 'Drivetrain'), 'none')
  assert.equal(proposed('Trek Domane SL 5, 56 cm', 'Frame'), 'none')
})

Deno.test("the owner's own entry of the same name counts more than words, and its latest correction first", () => {
  const earlier = [
    own('Winter set', 'wheel', 'both'),
    own('other', 'saddle'),
    own('winter  SET', 'tire', 'front'),
    own('Chain', null),
    own('Chain', 'belt'),
    own('GP 5000, rear', 'tire', 'front'),
  ]
  const of = (name: string) => proposeKind({ name, type: null, earlier })
  assert.deepEqual(of(' winter set '), { kind: 'wheel', position: 'both' })
  assert.deepEqual(of('chain'), { kind: 'belt', position: null })
  // It was rotated since, so the words count.
  assert.deepEqual(of('GP 5000, rear'), { kind: 'tire', position: 'rear' })
  assert.deepEqual(of('Winter tires'), { kind: 'tire', position: 'both' })
})

Deno.test('a name of two parts can be split', () => {
  assert.deepEqual(partsIn('Chain and cassette'), ['Chain', 'cassette'])
  assert.deepEqual(partsIn('Kette UND Kassette'), ['Kette', 'Kassette'])
  assert.deepEqual(partsIn('KMC X11 chain + 11-34 cassette'), ['KMC X11 chain', '11-34 cassette'])
  for (const one of [
    'Chain',
    'SRAM chain + quicklinks',
    'Front and rear tires',
    'Front tire and rear tire',
    '',
  ])
    assert.deepEqual(partsIn(one), [], one)
  assert.equal(proposed('Cassette & chain'), 'cassette')
})

Deno.test('only kinds with two ends get one', () => {
  for (const { name } of SEEN) {
    const { kind, position } = proposeKind({ name, type: null, earlier: [] })
    assert.ok(position === null || hasEnds(kind), name)
  }
  assert.deepEqual(proposeKind({ name: 'Front chainring', type: null, earlier: [] }), {
    kind: 'chainring',
    position: null,
  })
})
