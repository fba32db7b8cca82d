import { useAtomValue, useSetAtom } from 'jotai'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { PopoverButton } from '../../components/PopoverButton.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { isGarageAtom, openGarageAtom, selectBikeAtom, selectedBikeAtom } from './atoms.ts'
import type { Bike } from './api.ts'
import styles from './BikesRow.module.css'

/** A typical number of bikes, to limit layout shift. */
const PLACEHOLDERS = [1, 2, 3, 4]

type Props = {
  /** Undefined while loading. */
  bikes: Bike[] | undefined
  /** Due task counts, by gear_id. */
  dueCounts: ReadonlyMap<number, number>
}

export function BikesRow({ bikes, dueCounts }: Props) {
  const isGarage = useAtomValue(isGarageAtom)
  const selected = useAtomValue(selectedBikeAtom)
  const openGarage = useSetAtom(openGarageAtom)
  const select = useSetAtom(selectBikeAtom)
  const [isOpen, setOpen] = useState(false)

  const retired = bikes?.filter((bike) => bike.is_retired) ?? []
  const isListed = (bike: Bike) => !bike.is_retired || isOpen || bike === selected
  const row = useRef<HTMLDivElement>(null)
  const clipped = useClipped(row)
  const more = bikes?.filter((bike) => clipped.has(isListed(bike) ? String(bike.gear_id) : RETIRED)) ?? []
  const dueInMore = more.reduce((sum, { gear_id }) => sum + (dueCounts.get(gear_id) ?? 0), 0)
  const due = (gearId: number) => ({
    'data-due': dueCounts.get(gearId),
    'aria-describedby': dueCounts.has(gearId) ? `due-${gearId}` : undefined,
  })

  return (
    <div className={styles.ends}>
      <button type="button" className={styles.choice} aria-pressed={isGarage} onClick={() => openGarage()}>
        Garage
      </button>
      <div
        ref={row}
        className={styles.row}
        // Chromium leaves a button that is partly in sight where it is.
        onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
      >
        <div
          role="group"
          id="bikes"
          aria-label="Bikes"
          className={styles.bikes}
          aria-busy={bikes === undefined}
        >
          {bikes?.filter(isListed).map((bike) => (
            <button
              key={bike.gear_id}
              data-clip={bike.gear_id}
              ref={bike === selected ? scrollToCenter : null}
              type="button"
              className={styles.choice}
              aria-pressed={bike === selected}
              {...due(bike.gear_id)}
              onClick={() => select(bike.gear_id)}
            >
              {bike.name}
            </button>
          )) ?? PLACEHOLDERS.map((key) => <Skeleton key={key} width="8rem" height="2.25rem" />)}
        </div>
        {/* The counts describe the buttons and are not part of their names. */}
        {[...dueCounts].map(([gearId, count]) => (
          <span key={gearId} id={`due-${gearId}`} hidden>{`${count} due`}</span>
        ))}
        {retired.some((bike) => bike !== selected) && (
          <button
            type="button"
            className="quiet pill opener"
            data-clip={RETIRED}
            aria-expanded={isOpen}
            aria-controls="bikes"
            onClick={() => setOpen(!isOpen)}
          >
            {`Retired (${retired.length})`}
          </button>
        )}
      </div>
      {more.length > 0 && (
        <PopoverButton
          isQuiet
          label={
            <>
              {`${more.length} more`}
              <span className="visually-hidden">{` bikes${dueInMore > 0 ? `, ${dueInMore} due` : ''}`}</span>
              <span data-due={dueInMore || undefined} />
            </>
          }
        >
          {(close) =>
            more.map(({ gear_id, name }) => (
              <button
                key={gear_id}
                type="button"
                {...due(gear_id)}
                onClick={() => {
                  close()
                  select(gear_id)
                }}
              >
                {name}
              </button>
            ))
          }
        </PopoverButton>
      )}
    </div>
  )
}

const RETIRED = 'retired'

/** Returns the `data-clip` of the buttons that the row doesn't show completely. */
function useClipped(row: RefObject<HTMLElement | null>): ReadonlySet<string> {
  const [clipped, setClipped] = useState<ReadonlySet<string>>(new Set())
  // Before the paint, because the button that appears makes the row shorter, and its text depends on what that hides. Ends, because
  // a wider button only hides more.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- any render may change the buttons' widths
  useLayoutEffect(() => {
    const hidden = clippedIn(row.current!)
    // oxlint-disable-next-line react/set-state-in-effect -- only the layout tells
    if (hidden.symmetricDifference(clipped).size > 0) setClipped(hidden)
  })
  useEffect(() => {
    const scroller = row.current!
    const measure = () => setClipped(clippedIn(scroller))
    const sizes = new ResizeObserver(() => {
      measure()
      // The button's text, and so its width, depends on which bikes are in sight. A focused bike stays there.
      scrollToCenter(
        scroller.querySelector<HTMLElement>('[data-clip]:focus') ??
          scroller.querySelector<HTMLElement>('[data-clip][aria-pressed=true]'),
      )
    })
    sizes.observe(scroller)
    scroller.addEventListener('scroll', measure, { passive: true })
    return () => {
      sizes.disconnect()
      scroller.removeEventListener('scroll', measure)
    }
  }, [row])
  return clipped
}

/** How much of a button may be out of sight, because browsers round where it is. */
const ROUNDING = 0.05

function clippedIn(scroller: HTMLElement): Set<string> {
  const { left, right } = scroller.getBoundingClientRect()
  // The row gets shorter when the button appears, which must not keep it if the row would fit without it.
  const room = Math.max(0, scroller.parentElement!.getBoundingClientRect().right - right)
  if (scroller.scrollWidth <= scroller.clientWidth + room) return new Set()
  const hidden = [...scroller.querySelectorAll('[data-clip]')].filter((button) => {
    const rect = button.getBoundingClientRect()
    return Math.min(rect.right, right) - Math.max(rect.left, left) < rect.width * (1 - ROUNDING)
  })
  return new Set(hidden.map((button) => button.getAttribute('data-clip')!))
}

function scrollToCenter(button: HTMLElement | null) {
  const row = button?.offsetParent
  if (row) row.scrollLeft = button.offsetLeft - (row.clientWidth - button.offsetWidth) / 2
}
