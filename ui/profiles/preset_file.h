#pragma once

#include "ui/state/presets.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace highwater::ui {

/// A preset file for exchange: JSON, {"format": "highwater-presets", "version": 1, "presets": [...]}, each as
/// written by presetToJson(). Any thread.

inline constexpr const char* kPresetFileSuffix = "highwater-presets";
inline constexpr qint64 kLargestPresetFile = 16 << 20; ///< bytes

[[nodiscard]] QByteArray presetFileOf(const std::vector<Preset>& presets);

struct ReadPresetFile {
    std::vector<Preset> presets;
    QStringList leftOut; ///< unsupported parts, one per line, as in ProfilePresets::leftOut
    QString refusal;     ///< a clause without the file name; empty: it was read
};
[[nodiscard]] ReadPresetFile readPresetFile(const QByteArray& bytes);

} // namespace highwater::ui
