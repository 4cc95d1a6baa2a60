import { LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReadingProgress } from '../bridge/wire';
import { useWords } from '../i18n';
import { useApp } from '../state/store';

/** How often it is asked, in milliseconds. */
const PACE = 400;

/** How far the package is that is looked at or installed; null before that is known. */
function useReading(path: string, installs: boolean): ReadingProgress | null {
  const app = useApp();
  const [reading, setReading] = useState<ReadingProgress | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let stopped = false;
    const ask = async () => {
      const result = await app.bridge.query({ type: 'packageReading', path, installs });
      if (stopped) return;
      if (result.ok) setReading(result.value);
      timer = setTimeout(ask, PACE);
    };
    timer = setTimeout(ask, PACE);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [app, path, installs]);
  return reading;
}

/** Says how far the package is that is looked at, or installed. */
export function PackageReading({ path, installs }: { path: string; installs: boolean }) {
  const { t, number } = useWords();
  const reading = useReading(path, installs);
  const words = () => {
    // The button says that it is being installed, and turns.
    if (!reading) return installs ? '' : t('import.busy');
    const [done, of] = [number(reading.done), reading.of];
    if (of === undefined) return t('import.reading.some', { done });
    const key = reading.isInstalling ? 'import.writing' : 'import.reading';
    return t(key, { done, of: number(of) });
  };
  return (
    <p className="waiting" role="status" data-testid="package-reading">
      {!installs && <LoaderCircle size={15} className="spin" aria-hidden />}
      {words()}
    </p>
  );
}
