import styles from './Skeleton.module.css'

/** A placeholder with the size of the content that is loading. */
export function Skeleton({ width, height }: { width: string; height: string }) {
  return <span className={styles.skeleton} style={{ inlineSize: width, blockSize: height }} aria-hidden />
}
