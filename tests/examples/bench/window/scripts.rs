//! What the page is asked to do and to tell. Each script calls `done`, which is given to it.

/// Calls back with the time of the first paint, in milliseconds since 1970.
pub(super) const PAINTED: &str = "const look = () => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    if (paint) done(performance.timeOrigin + paint.startTime); else setTimeout(look, 10);
}; look();";

/// Opens the project and calls back, with the time since 1970, when its conversations are listed.
pub(super) const PROJECT: &str = "const look = () => {
    const project = document.querySelector('[data-testid=recent-project]');
    const rows = document.querySelectorAll('[data-testid=workspace] [data-testid=run-row]');
    if (rows.length > 0) return done(performance.timeOrigin + performance.now());
    if (project) project.click();
    setTimeout(look, 20);
}; look();";

/// Goes to the short conversation and calls back when it is there.
pub(super) const GO_SHORT: &str =
    "const rows = [...document.querySelectorAll('[data-testid=run-row]')];
    rows.find((it) => it.textContent.includes('Something short.')).click();
    const look = () => {
      const row = document.querySelector('[data-testid=run-row][aria-current=true]');
      const said = document.querySelector('[data-testid=message-user]');
      const isThere = row?.textContent.includes('Something short.') && said !== null;
      if (isThere) done(true); else setTimeout(look, 20);
    }; look();";

/// From the next click on, measures how long it takes until the end of the long conversation is
/// painted.
pub(super) const MEASURE_SWITCH: &str = "window.switched_ = null;
    addEventListener('click', () => {
      const begun = performance.now();
      const look = () => {
        const last = [...document.querySelectorAll('[data-testid=message-assistant]')].at(-1);
        const isThere = last?.textContent.includes('A few plain words');
        // What is in the page before a frame is painted with it.
        if (isThere) setTimeout(() => { window.switched_ = performance.now() - begun; });
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, { capture: true, once: true });
    done(true);";

/// Clicks on the row of the long conversation as a script does, on which no pointer rested.
pub(super) const CLICK_LONG: &str =
    "const rows = [...document.querySelectorAll('[data-testid=run-row]')];
    rows.find((it) => it.textContent.includes('Work through the notes.')).click(); done(true);";

/// Calls back with what was measured.
pub(super) const SWITCHED: &str = "const look = () => {
    if (window.switched_ !== null) done(window.switched_); else setTimeout(look, 20); }; look();";

/// Scrolls up, half a screen a frame, and calls back with how long each frame took.
pub(super) const SCROLL: &str = "const list = document.querySelector('.list');
    list.dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
    const taken = []; let before = performance.now();
    const next = (now) => {
      taken.push(now - before); before = now;
      list.scrollTop -= list.clientHeight / 2;
      if (taken.length < 240) requestAnimationFrame(next); else done(taken.slice(2));
    }; requestAnimationFrame(next);";

/// Goes to the conversation with what is hard to show, scrolls to its beginning, half a screen a
/// frame, and calls back with how long each frame took; with null when it did not come to it.
pub(super) const READ_HARD: &str =
    "const rows = [...document.querySelectorAll('[data-testid=run-row]')];
    const taken = []; let before = performance.now();
    rows.find((it) => it.textContent.includes('Show me what is hard.')).click();
    const next = (now) => {
      taken.push(now - before); before = now;
      const list = document.querySelector('.list');
      const isThere = list?.textContent.includes('It ends here.') || taken.isThere;
      if (isThere) { taken.isThere = true; list.scrollTop -= list.clientHeight / 2; }
      const isRead = taken.isThere && list.scrollTop === 0 && taken.length > 120;
      if (isRead || taken.length > 3000) done(isRead ? taken : null); else requestAnimationFrame(next);
    }; requestAnimationFrame(next);";

/// Counts frames, and what passes from a key to its paint, until it is asked.
pub(super) const COUNT: &str =
    "window.frames_ = []; window.typed_ = []; let before = performance.now();
    const next = (now) => { window.frames_.push(now - before); before = now;
      requestAnimationFrame(next); };
    requestAnimationFrame(next);
    document.querySelector('[data-testid=composer-input]').addEventListener('input', (event) =>
      requestAnimationFrame(() => setTimeout(() =>
        window.typed_.push(performance.now() - event.timeStamp))));
    done(true);";

/// Calls back when an answer streams.
pub(super) const STREAMS: &str = "const look = () => {
    const one = document.querySelector('[data-streaming=true]');
    if (one) done(true); else setTimeout(look, 20); }; look();";

/// Calls back when the answer has ended that streams now.
pub(super) const RESTS: &str = "const look = () => {
    const badge = document.querySelector('[data-testid=phase-badge]');
    if (badge?.dataset.phase === 'waiting-user') done(true); else setTimeout(look, 50); }; look();";
