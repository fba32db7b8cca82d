import { atom } from 'jotai'
import type { ComponentType } from 'react'

import { lazyScreen } from '../../components/lazy-screen.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import type { Bike } from '../bikes/api.ts'
import { logViewAtom } from '../entries/open-item.ts'
import type { ViewProps } from '../entries/shown-items.ts'
import { Entries } from './Entries.tsx'

/** A view is part of the log, or a page of its own. */
type View = { label: string } & (
  | { inLog: ComponentType<ViewProps>; asPage?: never }
  | { asPage: ComponentType<{ bike: Bike }>; inLog?: never }
)

const PLACEHOLDER = <Skeleton width="100%" height="60dvh" />
const Timeline = lazyScreen(() => import('./timeline/Timeline.tsx'), PLACEHOLDER)
const PartsList = lazyScreen(() => import('./parts-list/PartsList.tsx'), PLACEHOLDER)

/** The views of a log, by their address. Most visits only show the table, so the code of the others loads separately. */
const VIEWS = new Map<string, View>([
  ['table', { label: 'Table', inLog: Entries }],
  ['timeline', { label: 'Timeline', inLog: Timeline }],
  ['parts-list', { label: 'Parts list', asPage: PartsList }],
])

export const VIEW_OPTIONS = [...VIEWS]
  .filter(([, { inLog }]) => inLog)
  .map(([value, { label }]) => ({ value, label }))

export const viewAtom = atom((get): View => VIEWS.get(get(logViewAtom)) ?? VIEWS.get('table')!)

/** Loads the view's code. */
export const preloadViewAtom = atom((get) => {
  const { inLog, asPage } = get(viewAtom)
  const code = inLog ?? asPage
  if ('codeAtom' in code) get((code as typeof Timeline).codeAtom)
})
