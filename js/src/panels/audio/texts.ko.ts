// Texts of the panel “audio”, in Korean.

import { translate } from "../../lib/texts";
import { audioTexts } from "./texts";

translate(audioTexts, "ko", {
  title: "오디오",
  playClip: "재생",
  pauseClip: "일시 정지",
  ofWhom: (action, whom) => `${action}: ${whom}`,
  positionIn: (clip) => `${clip} 재생 위치`,
  timeOf: (time, duration) => `${time} / ${duration}`,
  timeWithin: (time, duration) => `${duration} 중 ${time}`,
  channels: (count, n) => ["", "모노", "스테레오"][count] ?? `${n}채널`,
  spectrogram: "스펙트로그램",
  spectrogramHint:
    "파형 아래에 시간에 따른 주파수별 세기를 표시합니다. 가장 어두운 색과 가장 밝은 색의 차이는 80 dB입니다",
  fitWaveforms: "파형 맞추기",
  fitWaveformsHint: "모든 파형에 같은 스케일을 쓰지 않고 파형마다 가장 큰 샘플에 맞춥니다",
  saveClip: "이 클립을 기록된 그대로 저장",
  saveHeading: "클립",
  counted: (_, n) => `클립 ${n}개`,
  saveNowHint: "이 페이지가 불러온 클립만 저장합니다",
  savedAsWritten: (n) => `${n}개를 기록된 그대로 저장함`,
  leftUnsaved: (n) => `${n}개는 불러오지 않아 저장하지 않음`,
  clipNotSaved: "이 클립을 저장하지 못했습니다",
  notUnderstood: "손상됨: 올바르지 않은 데이터",
  undecodable: "손상되었거나 이 브라우저가 지원하지 않는 인코딩입니다",
  unplayable: "이 브라우저에서 재생할 수 없습니다",
  runsWithoutStep: (step, _, n) => `실행 ${n}개는 스텝 ${step}까지 데이터 없음`,
  gestures: { seek: ["클릭 또는 드래그", "재생 위치 이동"] },
  keys: {
    near: "1초 이동, 짧은 클립에서는 더 조금",
    far: "10초 이동",
    ends: "처음이나 끝으로 이동",
    toggle: "재생 또는 일시 정지",
  },
});
