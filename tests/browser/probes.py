"""Probes in a page: they silence it towards the kernel, and count what a widget has started and not ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Once switched on, drops all messages of the page over comms: custom messages and changes of traits.
MUTE = """
const send = WebSocket.prototype.send;
window.testSwallowed = 0;
WebSocket.prototype.send = function (data) {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data);
    if (window.testMuted && text.includes('"comm_msg"')) {
        window.testSwallowed += 1;
        return;
    }
    send.call(this, data);
};
"""

# Counts what the widget's module, which hosts load from a blob, has started and not ended. Listeners count only on the
# window, the document and its body, where they outlive the view.
COUNT = """
window.testAlive = new Map();
const fromWidget = () => new Error().stack.includes('blob:');
for (const name of ['ResizeObserver', 'IntersectionObserver', 'MutationObserver']) {
    const Original = window[name];
    window[name] = class extends Original {
        constructor(...given) {
            super(...given);
            if (fromWidget()) window.testAlive.set(this, name);
        }
        disconnect() {
            window.testAlive.delete(this);
            super.disconnect();
        }
    };
}
const { setInterval, clearInterval } = window;
window.setInterval = (...given) => {
    const id = setInterval.apply(window, given);
    if (fromWidget()) window.testAlive.set(id, 'setInterval');
    return id;
};
window.clearInterval = id => {
    window.testAlive.delete(id);
    clearInterval.call(window, id);
};
const ids = new WeakMap();
let nextId = 0;
const idOf = listener => ids.get(listener) ?? (ids.set(listener, nextId += 1), nextId);
const key = (target, type, listener, options) => [
    target === window ? 'window' : target === document ? 'document' : 'body',
    type, idOf(listener), typeof options === 'boolean' ? options : options?.capture === true,
].join(' ');
const outlives = target => target === window || target === document || target === document.body;
const { addEventListener, removeEventListener } = EventTarget.prototype;
EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? window;
    if (listener !== null && outlives(target) && fromWidget() && options?.signal?.aborted !== true) {
        const name = key(target, type, listener, options);
        window.testAlive.set(name, `listener ${name}`);
        if (options?.signal) {
            addEventListener.call(options.signal, 'abort', () => window.testAlive.delete(name), { once: true });
        }
    }
    addEventListener.call(target, type, listener, options);
};
EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const target = this ?? window;
    if (listener !== null && outlives(target)) {
        window.testAlive.delete(key(target, type, listener, options));
    }
    removeEventListener.call(target, type, listener, options);
};
"""

# Bytes of the page's JavaScript, and numbers of its nodes and listeners, measured after garbage collection.
HEAP = ("JSHeapUsedSize", "Nodes", "JSEventListeners")


def watch(page: Page) -> None:
    """Install the probes in a new page, before it loads anything."""
    page.add_init_script(f"{{{MUTE}}}{{{COUNT}}}")
