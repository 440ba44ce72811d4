// ---- change a number: the step page in a frame, whose engine is the worker's

let frame = null, isOpening = false;

// The step page as the engine wrote it, with the controls of live.html.
function livePage(page) {
  const part = name => byId('live-' + name).textContent;
  return page.replace('<\/style>', () => part('style') + '<\/style>')
      .replace('<main>', () => part('body') + '<main>')
      .replace('<\/body>', () => '<script>' + part('script') + '<\/script><\/body>');
}

Object.assign(reactions, {
  opened({page, error}) {
    isOpening = false;
    if (state === 'training') enter('paused');  // the worker has stopped
    if (error !== undefined) return say(`It cannot be shown: ${error}`);
    frame?.remove();
    const url = URL.createObjectURL(new Blob([livePage(page)], {type: 'text/html'}));
    frame = element('iframe', {src: url, title: 'One sentence through the model'});
    frame.onload = () => URL.revokeObjectURL(url);
    byId('apart').append(frame);
    byId('apart').showModal();
    if (state !== 'failed') say('Paused: the training waits while you change numbers.');
  },
  changed({number, answer, error}) { frame?.contentWindow.postMessage({number, answer, error}, '*'); },
});
addEventListener('message', ({source, data: {number, request}}) => {
  if (frame && source === frame.contentWindow) order('change', {number, request});
});

function open(content) {
  if (isOpening) return;
  isOpening = true;
  say('Opening …');
  order('open', content);
}
byId('open-small').onclick = () => open({});
byId('open-own').onclick = () => open({source: byId('text').value.trim()});
byId('close').onclick = () => byId('apart').close();
byId('apart').onclose = () => {
  frame?.remove();
  frame = null;
  order('close');
};
