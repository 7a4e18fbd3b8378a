// Texts of JupyterLab's extension, beside those of the dashboard.

const english = {
  connecting: "Waiting for the kernel…",
  runCell: "Run the cell to bring the dashboard back.",
  noKernel: "No kernel is running. Start one and run the cell to bring the dashboard back.",
  noManager:
    "This page cannot show widgets. Install or enable jupyterlab_widgets where JupyterLab runs, reload the page and run the cell.",
  otherVersion:
    "The dashboard comes back when the running cell ends, because JupyterLab has another version of tbwidget than the kernel: install the same version in both.",
  /** Above a picture. */
  asFirst: (words: string) => `Picture from when the cell was run. ${words}`,
  picture: "Charts of the dashboard",
};

const korean: typeof english = {
  connecting: "커널을 기다리는 중…",
  runCell: "대시보드를 다시 보려면 셀을 실행하세요.",
  noKernel: "실행 중인 커널이 없습니다. 대시보드를 다시 보려면 커널을 시작하고 셀을 실행하세요.",
  noManager:
    "이 페이지에서는 위젯을 표시할 수 없습니다. JupyterLab이 실행되는 곳에 jupyterlab_widgets를 설치하거나 활성화하고, 페이지를 새로 고친 뒤 셀을 실행하세요.",
  otherVersion:
    "실행 중인 셀이 끝나면 대시보드가 다시 나타납니다. JupyterLab과 커널의 tbwidget 버전이 서로 다릅니다. 양쪽에 같은 버전을 설치하세요.",
  asFirst: (words) => `셀을 실행할 때의 그림입니다. ${words}`,
  picture: "대시보드의 차트",
};

/** By language. They are apart from those of the dashboard, which is another bundle and is evaluated later. */
const tables = new Map([
  ["en", english],
  ["ko", korean],
]);

/** The table of the page's language: English where there is none. */
export function labTexts(): typeof english {
  const page = document.documentElement?.lang ?? "";
  return tables.get(page) ?? tables.get(page.split("-")[0] ?? "") ?? english;
}
