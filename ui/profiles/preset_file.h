#pragma once

#include "ui/state/presets.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace highwater::ui {

/// Presets as a file of their own, to be handed on: JSON, {"format": "highwater-presets", "version": 1, "presets":
/// [...]}, each as presetToJson() writes it. Any thread.

inline constexpr const char* kPresetFileSuffix = "highwater-presets";
inline constexpr qint64 kLargestPresetFile = 16 << 20; ///< bytes

[[nodiscard]] QByteArray presetFileOf(const std::vector<Preset>& presets);

struct ReadPresetFile {
    std::vector<Preset> presets;
    QStringList leftOut; ///< what is not known, a line each, as ProfilePresets::leftOut
    QString refusal;     ///< a sentence without the name of the file; empty: it was read
};
[[nodiscard]] ReadPresetFile readPresetFile(const QByteArray& bytes);

} // namespace highwater::ui
