import { atom } from 'jotai'

import { addressAtom } from '../../../lib/address.ts'

/** Whether the list has services and what they cost: the bike's passport. */
export const isPassportAtom = atom(
  (get) => get(addressAtom)['detail'] === 'service',
  (_get, set, isPassport: boolean) =>
    set(addressAtom, { set: { detail: isPassport ? 'service' : null }, by: 'replace' }),
)

export const hasPricesAtom = atom(
  (get) => get(addressAtom)['prices'] !== 'no',
  (_get, set, hasPrices: boolean) =>
    set(addressAtom, { set: { prices: hasPrices ? null : 'no' }, by: 'replace' }),
)
