/**
 * What a part can be, and whether a bike has one at the front and one at the rear. Parts that end nothing, don't wear and are
 * compared with nothing, such as cables, have no kind. `private.kinds` lists the same.
 */
export const PART_KINDS = [
  { name: 'chain', hasEnds: false },
  { name: 'belt', hasEnds: false },
  { name: 'cassette', hasEnds: false },
  { name: 'chainring', hasEnds: false },
  { name: 'crankset', hasEnds: false },
  { name: 'bottom bracket', hasEnds: false },
  { name: 'derailleur', hasEnds: true },
  { name: 'jockey wheels', hasEnds: false },
  { name: 'shifters', hasEnds: false },
  { name: 'pedals', hasEnds: false },
  { name: 'cleats', hasEnds: false },
  { name: 'tire', hasEnds: true },
  { name: 'tube', hasEnds: true },
  { name: 'wheel', hasEnds: true },
  { name: 'brake', hasEnds: true },
  { name: 'brake pads', hasEnds: true },
  { name: 'rotor', hasEnds: true },
  { name: 'frame', hasEnds: false },
  { name: 'fork', hasEnds: false },
  { name: 'shock', hasEnds: false },
  { name: 'headset', hasEnds: false },
  { name: 'stem', hasEnds: false },
  { name: 'handlebar', hasEnds: false },
  { name: 'bar tape', hasEnds: false },
  { name: 'grips', hasEnds: false },
  { name: 'saddle', hasEnds: false },
  { name: 'seatpost', hasEnds: false },
] as const

export type PartKind = (typeof PART_KINDS)[number]['name']

export const KIND_NAMES: readonly PartKind[] = PART_KINDS.map(({ name }) => name)

/** Where a part with ends is. `both`: a pair. */
export const POSITIONS = ['front', 'rear', 'both'] as const

export type Position = (typeof POSITIONS)[number]

/** Returns whether parts of a kind are at the front or at the rear. */
export const hasEnds = (kind: PartKind | null): boolean =>
  PART_KINDS.some((known) => known.name === kind && known.hasEnds)

/** The kinds that riders rotate: the front one goes to the rear, and the rear one to the front. */
export const ROTATED_KINDS = ['tire', 'brake pads', 'rotor'] as const satisfies readonly PartKind[]

export type RotatedKind = (typeof ROTATED_KINDS)[number]

export const isRotated = (kind: PartKind | null | undefined): kind is RotatedKind =>
  ROTATED_KINDS.some((known) => known === kind)

/** A part's kind and its end of the bike. Null: unknown, or neither front nor rear. */
export type KindAndPosition = { kind: PartKind | null; position: Position | null }

export const UNKNOWN_KIND: KindAndPosition = { kind: null, position: null }
