/* page_forms.mjs - the forms of a page as a browser without scripts has them. Knows HTML as our templates
 * write it; no page. */
export const plain = (text) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<')
  .replaceAll('&gt;', '>').replaceAll('&amp;', '&');

function attributes(tag) {
  const list = [...tag.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/g)].map((m) => [m[1], plain(m[2] ?? '')]);
  return Object.fromEntries(list);
}

/* A control: { tag, name, type, value, checked, required, id, describedby, invalid, focused, formaction, min, press: the type
 * of a button } */
function controlsOf(html) {
  const list = [];
  for (const m of html.matchAll(/<(input|button)\b([^>]*)>|<(textarea)\b([^>]*)>([^]*?)<\/textarea>|<(select)\b([^>]*)>([^]*?)<\/select>/g)) {
    const tag = m[1] ?? m[3] ?? m[6];
    const a = attributes(m[2] ?? m[4] ?? m[7]);
    const options = [...(m[8] ?? '').matchAll(/<option\b([^>]*)>([^<]*)/g)].map(([, at, text]) => {
      const o = attributes(at);
      return { value: o.value ?? plain(text).trim(), selected: 'selected' in o };
    });
    const chosen = options.find((o) => o.selected) ?? options[0];
    list.push({
      tag, name: a.name, type: tag === 'input' ? a.type ?? 'text' : tag, form: a.form,
      value: tag === 'textarea' ? plain(m[5]).replace(/^\r?\n/, '') : tag === 'select' ? chosen?.value ?? '' : a.value ?? (/checkbox|radio/.test(a.type) ? 'on' : ''),
      options: options.map((o) => o.value), checked: 'checked' in a, required: 'required' in a, id: a.id,
      press: a.type, describedby: a['aria-describedby'], invalid: a['aria-invalid'] === 'true', focused: 'autofocus' in a,
      formaction: a.formaction, min: a.min,
    });
  }
  return list;
}

/* Every form that posts: { action, id, controls }, with controls that stand elsewhere and name it. */
export function formsOf(html) {
  const forms = [...html.matchAll(/<form\b([^>]*)>([^]*?)<\/form>/g)].map((m) => ({ ...attributes(m[1]), html: m[2] }))
    .filter((f) => f.method === 'post');
  const all = controlsOf(html);
  return forms.map((f) => ({
    action: f.action, id: f.id, html: f.html,
    controls: [...controlsOf(f.html).filter((c) => !c.form || c.form === f.id),
      ...all.filter((c) => f.id && c.form === f.id)],
  }));
}

export const leadsTo = (form, at) => form.action === at || form.controls.some((c) => c.formaction === at);

/* What a browser sends when the button `button` ({name, value}, or undefined) is pressed; `typed` is set by name. */
export function fieldsOf(form, typed = {}, button) {
  const body = new URLSearchParams();
  for (const c of form.controls) {
    if (!c.name || c.tag === 'button' || (/checkbox|radio/.test(c.type) && !(c.name in typed ? typed[c.name] === c.value : c.checked))) continue;
    body.append(c.name, c.name in typed ? typed[c.name] : c.value);
  }
  if (button) body.append(button.name, button.value);
  return body;
}

export const isText = (c) => Boolean(c.name) && (c.tag === 'textarea' || (c.tag === 'input'
  && !/^(hidden|checkbox|radio|submit|button|file)$/.test(c.type)));
