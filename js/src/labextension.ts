// The entry of the extension that JupyterLab 4 and Notebook 7 load: what their module federation expects of a container, and
// one plugin in it. It carries no library: the page's own classes are used.

import { Comms } from "./jupyterlab/comms";
import { Dashboards, type Files } from "./jupyterlab/dashboards";
import type { Lumino, NotebookPanel } from "./jupyterlab/host";
import { LastViewSaver } from "./jupyterlab/lastviewsaver";
import { LastViewStorage } from "./jupyterlab/lastviewstorage";
import { dashboardFactory } from "./jupyterlab/renderer";

interface Shared {
  readonly loaded?: unknown;
  get(): Promise<() => unknown>;
}

type ShareScope = Readonly<Record<string, Readonly<Record<string, Shared>>>>;

interface Application {
  readonly serviceManager: { readonly serverSettings: { readonly baseUrl: string } };
  readonly docRegistry: {
    addWidgetExtension(factory: string, extension: { createNew(panel: NotebookPanel): void }): unknown;
  };
}

/** Name of the built file beside this one; the build puts it in. */
declare const SCRIPT: string;

/** Before the widget manager's renderer of widgets, whose rank is −10. */
const RANK = -20;

const own = (document.currentScript as HTMLScriptElement | null)?.src ?? location.href;
const files: Files = { script: new URL(SCRIPT, own).href };
let scope: ShareScope = {};

function plugin(lumino: Lumino) {
  return {
    id: "tbwidget:dashboard",
    description: "Brings dashboards back while a cell runs.",
    autoStart: true,
    activate: ({ docRegistry, serviceManager }: Application) => {
      const { baseUrl } = serviceManager.serverSettings;
      const lastViews = new LastViewSaver(new LastViewStorage());
      docRegistry.addWidgetExtension("Notebook", {
        createNew: (panel) => {
          const { rendermime } = panel.content;
          const comms = new Comms(panel);
          const dashboards = new Dashboards(comms, files);
          const keyOf = (id: string) => JSON.stringify([baseUrl, panel.sessionContext.path, id]);
          rendermime.addFactory(dashboardFactory({ lumino, comms, dashboards, rendermime, lastViews, keyOf }), RANK);
        },
      });
    },
  };
}

/** A module of the page: the version that it uses itself. */
async function shared(name: string): Promise<unknown> {
  const versions = Object.values(scope[name] ?? {});
  const found = versions.find(({ loaded }) => Boolean(loaded)) ?? versions[0];
  if (found === undefined) {
    throw new Error(`tbwidget: the page shares no ${name}`);
  }
  return (await found.get())();
}

const container = {
  init: (given: ShareScope) => {
    scope = given;
  },
  get: async () => {
    const plugins = [plugin((await shared("@lumino/widgets")) as Lumino)];
    return () => ({ __esModule: true, default: plugins });
  },
};

const page = window as unknown as { _JUPYTERLAB?: Record<string, unknown> };
page._JUPYTERLAB ??= {};
page._JUPYTERLAB.tbwidget = container;
