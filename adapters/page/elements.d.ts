// The elements of the page by their ids: those of each tag of `assets/index.html`. `tests/elements.test.js` compares both.

interface Ids {
  button:
    | "accept" | "again" | "begin-another" | "bring-back" | "browse" | "cancel" | "choose-browsed" | "close-guide"
    | "close-invite" | "continue" | "copy-guest" | "copy-link" | "copy-picture" | "copy-position" | "copy-record"
    | "copy-spectators" | "course-lesson" | "decline" | "delete-variation" | "edit" | "editor-analyse"
    | "editor-clear" | "editor-close" | "editor-play" | "editor-start" | "end-browsing" | "end-turn"
    | "exercise-again" | "exercise-end" | "exercise-leave" | "exercise-next" | "exercise-show" | "first"
    | "first-lesson" | "flip" | "forget-recent" | "greeted" | "greeting-learn" | "greeting-lesson" | "hint"
    | "how-to-play" | "known" | "last" | "learn" | "leave-home" | "leave-party" | "load" | "make-invitation"
    | "menu" | "move-now" | "new-game" | "offer-draw" | "open-invite" | "party-links" | "pause" | "practice"
    | "promote" | "reconnect" | "redo" | "rematch" | "resign" | "resume" | "retry" | "review" | "review-over"
    | "save-record" | "save-transcript" | "set-fen" | "stop-review" | "tab-analysis" | "tab-moves" | "tab-play"
    | "tab-practice" | "tab-review" | "tab-settings" | "threat" | "undo" | "use-home";
  details: "details" | "engine" | "home";
  dialog: "chooser" | "editor" | "guide" | "invite";
  div:
    | "board" | "courses" | "desk" | "drop" | "editor-board" | "engine-options" | "guide-text" | "invite-made"
    | "invite-wish" | "judged" | "level" | "lost" | "p1" | "p2" | "palette" | "party" | "question" | "record"
    | "result" | "review-worst" | "reviewed" | "rules" | "unfinished" | "variation";
  h2: "chooser-name" | "editor-name" | "exercise-title" | "explorer-name" | "guide-title" | "invite-name";
  img: "invite-guest-code" | "invite-spectators-code";
  input:
    | "analyse" | "editor-text" | "fen" | "file" | "follow" | "home-kept" | "home-link" | "invite-guest"
    | "invite-here" | "invite-search" | "invite-spectators" | "note" | "own-control" | "show-bar" | "sound";
  label: "p1-label" | "p2-label";
  nav: "games";
  ol: "lines" | "moves" | "recent";
  output: "entered";
  p:
    | "asked" | "chooser-count" | "counters" | "drop-or-paste" | "editor-refusal" | "engine-name" | "exercise-goal"
    | "exercise-progress" | "exercise-verdict" | "explorer-count" | "home-state" | "invite-how" | "invite-refusal"
    | "invite-what" | "level-what" | "lost-why" | "message" | "news" | "party-state" | "recent-none"
    | "review-decided" | "review-none" | "told" | "unstarted" | "viewed" | "welcome-text";
  progress: "review-progress";
  rect: "bar-p1";
  section:
    | "exercise" | "explorer" | "greeting" | "panel-analysis" | "panel-moves" | "panel-play" | "panel-practice"
    | "panel-review" | "panel-settings" | "play" | "welcome";
  select:
    | "choices" | "control" | "editor-side" | "exercise-theme" | "invite-control" | "invite-side" | "language"
    | "line-count" | "look-board" | "look-pieces" | "p1-level" | "p1-player" | "p2-level" | "p2-player";
  span: "chance" | "figures" | "level-picture" | "line" | "p1-clock" | "p2-clock" | "prompt" | "unfinished-what";
  strong: "exact" | "greeting-what" | "over" | "score" | "standing";
  svg: "bar" | "review-graph";
  table: "exact-table" | "explorer-table" | "parts" | "review-table";
  tbody: "exact-moves" | "explorer-moves" | "parts-list";
  th: "explorer-results";
}

/** The id of an element of the page. */
type Id = Ids[keyof Ids];

type Tags = HTMLElementTagNameMap & Pick<SVGElementTagNameMap, "svg" | "rect">;
/** The element with this id. */
type ElementOf<I extends Id> = { [Tag in keyof Ids]: I extends Ids[Tag] ? Tags[Tag] : never }[keyof Ids];
