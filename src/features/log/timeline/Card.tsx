import { useAtomValue, useSetAtom } from 'jotai'
import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'

import { todayAtom } from '../../../lib/clock.ts'
import { counted, monthName, useFormats } from '../../../lib/formats.ts'
import { addressAtom } from '../../../lib/address.ts'
import { formatInAll } from '../../entries/earlier.ts'
import type { Item } from '../../entries/fields.ts'
import { jumpToAtom } from '../../entries/jump.ts'
import { detailsHref, logHref } from '../../entries/links.ts'
import { usageAtom } from '../../entries/usage.ts'
import type { Month, Service } from './layout.ts'
import styles from './Timeline.module.css'
import { type Day } from '../../../lib/days.ts'
import { datesOf } from './bar-labels.ts'

/** In pixels. */
const WIDTH = 288
const ROOM = 160

/** The subject and position of a card. A pinned card stays open and has links. */
export type Pointed = {
  /** `item-5`, `marks-0` or `month-2024-05`. */
  subject: string
  left: number
  top: number
  isAbove: boolean
  isPinned: boolean
}

/** Shows a card for the hovered or focused bar, mark or month. A tap pins the card instead of following the link. */
export function useCard(chart: RefObject<HTMLElement | null>) {
  const [card, setCard] = useState<Pointed | null>(null)
  const setAddress = useSetAtom(addressAtom)
  const jumpTo = useSetAtom(jumpToAtom)
  const pointer = useRef('')

  const show = (target: EventTarget, isPinned: boolean, x?: number) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null
    const box = chart.current?.getBoundingClientRect()
    if (!element || !box) return
    const { left, bottom, top } = element.getBoundingClientRect()
    const isAbove = bottom + ROOM > window.innerHeight && top > ROOM
    setCard({
      subject: element.dataset['key'] ?? '',
      left: Math.max(0, Math.min((x ?? Math.max(left, box.left)) - box.left, box.width - WIDTH)),
      top: isAbove ? top - box.top : bottom - box.top,
      isAbove,
      isPinned,
    })
  }
  // Does what the link does, and also moves the focus.
  const open = (item: string) => {
    setAddress({ set: { item, view: null, year: null, day: null }, by: 'push' })
    jumpTo(Number(item))
  }
  const leave = () => setCard((card) => (card?.isPinned ? card : null))
  return {
    card,
    close: () => {
      setCard(null)
      if (card?.isPinned) chart.current?.querySelector<HTMLElement>(`[data-key="${card.subject}"]`)?.focus()
    },
    onPointerDown: ({ pointerType }: PointerEvent) => {
      pointer.current = pointerType
    },
    onPointerOver: ({ target, pointerType, clientX }: PointerEvent) => {
      if (pointerType !== 'touch' && !card?.isPinned) show(target, false, clientX + 12)
    },
    onPointerOut: leave,
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      if (!target.matches('[data-stop]')) return
      for (const stop of currentTarget.querySelectorAll<HTMLElement>('[data-stop][tabindex="0"]'))
        stop.tabIndex = -1
      target.tabIndex = 0
      if (target.matches(':focus-visible')) show(target, false)
    },
    onBlur: leave,
    onClick: (event: MouseEvent) => {
      const stop = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-stop]') : null
      if (!stop || event.ctrlKey || event.metaKey || event.shiftKey) return
      const isTap = pointer.current === 'touch' && event.detail > 0
      if (isTap || 'pins' in stop.dataset) {
        event.preventDefault()
        show(stop, true)
      } else if (stop.dataset['key']?.startsWith('item-')) {
        event.preventDefault()
        open(stop.dataset['key'].slice('item-'.length))
      }
    },
  }
}

type Props = Pointed & {
  gearId: number
  items: readonly Item[]
  months: readonly Month[]
  clusters: readonly Service[][]
  onClose: () => void
}

export function Card(props: Props) {
  const { left, top, isAbove, isPinned, onClose } = props
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isPinned) card.current?.querySelector('a')?.focus({ preventScroll: true })
  }, [isPinned])
  return (
    <div
      ref={card}
      className={`screen-only ${styles.card}`}
      data-above={isAbove ? '' : undefined}
      data-pinned={isPinned ? '' : undefined}
      // The bar or mark has the same text as its accessible name.
      aria-hidden={!isPinned}
      style={{ insetInlineStart: left, insetBlockStart: top }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (isPinned && !currentTarget.contains(relatedTarget)) onClose()
      }}
    >
      <Content {...props} />
    </div>
  )
}

function Content({ subject, isPinned, gearId, items, months, clusters }: Props) {
  const formats = useFormats()
  const [, kind, id = ''] = /^(\w+?)-(.*)$/.exec(subject) ?? []
  if (kind === 'month') {
    const month = months.find((one) => one.month === id)
    if (!month) return null
    return (
      <>
        <strong className="clamped">{`${monthName(`${id}-01` as Day)} ${id.slice(0, 4)}`}</strong>
        <p>{`${formats.distance.format(month.distance)}, ${counted(month.rides, 'ride')}`}</p>
      </>
    )
  }
  if (kind === 'marks') {
    return (
      <ul>
        {clusters[Number(id)]?.map(({ day, name, itemId }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- entries may be identical
          <li key={index}>
            {formats.day(day)}{' '}
            {isPinned ? (
              <a href={itemId === null ? logHref(gearId) : detailsHref(gearId, itemId)}>{name}</a>
            ) : (
              name
            )}
          </li>
        ))}
      </ul>
    )
  }
  const item = items.find((one) => String(one.id) === id)
  return item ? <Part item={item} isPinned={isPinned} /> : null
}

function Part({ item, isPinned }: { item: Item; isPinned: boolean }) {
  const usage = useAtomValue(usageAtom(item.bikeId))
  const today = useAtomValue(todayAtom)
  const formats = useFormats()
  const ready = usage.state === 'ready' ? usage.data : undefined
  const part = ready?.byPart.get(item.part_id)
  const here = formats.distance.format(ready?.byItem.get(item.id)?.distance)
  const isAll = !part || here === formats.distance.format(part.distance)
  return (
    <>
      <small data-type={item.type ?? ''}>{item.type ?? 'No type'}</small>
      <strong className="clamped">{item.name}</strong>
      <p>
        {datesOf(item, today, formats)}
        {item.ended_as && `, ${item.ended_as}`}
      </p>
      <p>{isAll ? here : `${here}, ${formatInAll(part, formats)}`}</p>
      {isPinned && <a href={detailsHref(item.bikeId, item.id)}>{`Details of ${item.name}`}</a>}
    </>
  )
}
