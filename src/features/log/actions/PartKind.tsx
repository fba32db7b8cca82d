import { hasEnds } from '../../../../supabase/functions/_shared/kinds.ts'
import { KindChooser, WhichEnd } from '../../editors/KindChooser.tsx'
import type { PartKindChoice } from './part-kind.ts'
import styles from './PartKind.module.css'

/** Shows what a new part is below its name, where its owner corrects it. */
export function PartKind({ chosen, value, asksForEnd, isShown, choose, split }: PartKindChoice) {
  if (!isShown) return null
  const isAsked = hasEnds(value.kind) && asksForEnd
  return (
    <div className={styles.kind} data-wide>
      <KindChooser value={value} isProposed={chosen === null} isEndAsked={isAsked} onChange={choose} />
      {isAsked && (
        <>
          <span className="tiny">Which end?</span>
          <WhichEnd value={value} onChange={choose} />
        </>
      )}
      {split && (
        <>
          <span className="tiny">Two parts on one name?</span>
          <button type="button" className="link" onClick={split}>
            Split…
          </button>
        </>
      )}
    </div>
  )
}
