/** Models found, tested and chosen; a demo that goes on; projects that are found again. */
export const models = {
  'start.model.untested': 'Set up: {model} · not tested',
  'start.model.works': '{model} works · calls tools',
  'start.model.works.context': '{model} works · calls tools · {context}',
  'start.model.noTools': '{model} answers · does not call tools',
  'start.model.silent': '{model} · did not answer the test',

  'local.title': 'On this computer',
  'local.looking': 'Looking for model servers on this computer…',
  'local.again': 'Look again',
  'local.found.one': '1 model',
  'local.found': '{count} models',
  'local.empty': 'Runs, and has no model yet',
  'local.other': 'Something else listens there',
  'local.nothing': 'Not started',
  'local.use': 'Use',
  'local.use.of': 'Use {server}',
  'local.used': 'In use',

  'settings.test.stop': 'Stop the test',
  'settings.test.edited': 'Changed since the last test. Test again to know.',
  'settings.context.known': 'The server says {count}',
  'settings.context.hint':
    'Left empty, the server is asked. Where it does not say, there is no limit here.',

  'model.settings': 'Model settings',
  'phase.stopped': 'Stopped',
  'phase.stopped.model': 'Stopped: model',

  'demo.over': 'This was a demo, played by a script.',
  'demo.over.hint':
    'Go on here with a model of your own: it sees this conversation and works in this project.',
  'demo.go': 'Go on with my own model',
  'demo.go.with': 'Go on with {model}',
  'demo.switch.title': 'Go on with your own model?',
  'demo.switch.text':
    'From your next message on {model} answers, in place of the script. It sees this conversation. This cannot be taken back.',
  'demo.switch.none': 'No model is connected yet. Connect one, then come back here.',
  'composer.demo': 'The demo has been played. Go on with your own model.',
  'notice.demo_over': 'The demo has been played to its end',
  'notice.model_switched': 'From here on your own model answers',

  'project.copied.title': 'A copy, or the project itself?',
  'project.copied.text':
    'This folder has the project id of “{name}”, which is still in its folder. Runs belong to one of the two.',
  'project.copied.away':
    'This folder has the project id of “{name}”, which was last opened in another folder and is not found there now: it was moved, or its disk is not connected.',
  'project.copied.here': 'This folder',
  'project.copied.there': 'Known in',
  'project.copied.copy': 'A copy',
  'project.copied.copy.hint': 'Becomes a project of its own, without runs.',
  'project.copied.moved': 'The project, moved here',
  'project.copied.moved.hint': 'Its runs go on here. The other folder keeps its files.',
  'project.mismatch.title': 'This is not “{name}”',
  'project.mismatch.none':
    'The folder you chose belongs to no project. If it is what “{name}” became, its runs can go on there.',
  'project.mismatch.other': 'The folder you chose is the project “{other}”.',
  'project.mismatch.again': 'Choose another…',
  'project.mismatch.adopt': 'Use this folder for {name}',
  'project.mismatch.open': 'Open {other}',

  'packages.installed': 'Installed {name}',
  'packages.remove.used.one':
    'One run uses it. A package can be removed when no run needs it any more.',
  'packages.remove.used':
    '{count} runs use it. A package can be removed when no run needs it any more.',
  'packages.remove.goes':
    'With them their messages, states, logs, tool results and checkpoints are deleted. The files in your project folders stay. This cannot be undone.',
  'packages.remove.all.one': 'Delete the run and remove',
  'packages.remove.all': 'Delete {count} runs and remove',
} as const;
