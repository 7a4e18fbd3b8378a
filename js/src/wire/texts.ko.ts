// Texts about data that is not shown, in Korean.

import { translate } from "../lib/texts";
import { wireTexts } from "./texts";

translate(wireTexts, "ko", {
  unreadable: (error) => `이 페이지에서 읽을 수 없습니다(${error})`,
  tooLarge: "너무 커서 여기에 표시할 수 없습니다",
  noRoom: "메모리가 부족해 표시할 수 없습니다",
});
