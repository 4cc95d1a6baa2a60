import { useEffect, useState } from 'react';
import type { Failure, LocalServer } from '../bridge/wire';
import { localServers } from '../state/models';
import { useApp } from '../state/store';

interface Found {
  /** Null while they are looked for. */
  servers: LocalServer[] | null;
  failure: Failure | null;
}

const looking: Found = { servers: null, failure: null };

/** The model servers on this computer, looked for while the person is here, and again with `asked`. */
export function useLocalServers(asked = 0): Found {
  const app = useApp();
  const [found, setFound] = useState(looking);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when it is asked to
  useEffect(() => {
    let here = true;
    setFound(looking);
    void localServers(app).then((result) => {
      if (!here) return;
      setFound(
        result.ok
          ? { servers: result.value, failure: null }
          : { servers: [], failure: result.failure },
      );
    });
    return () => {
      here = false;
    };
  }, [app, asked]);
  return found;
}
