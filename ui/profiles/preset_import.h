#pragma once

#include "ui/state/presets.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace highwater::ui {

/// Result of importing presets from a file.
struct PresetImport {
    std::vector<Preset> presets; ///< under their current names, one for each imported preset
    QStringList added;           ///< names, including those of `renamed`
    QStringList alreadyThere;    ///< names of presets that equal an existing one of the same name
    QStringList renamed;         ///< "A as A (2)": the name belonged to a different preset
    [[nodiscard]] bool isEmpty() const { return presets.empty(); }
};

/// Adds them to the user's presets. Existing ones are neither changed nor replaced. GUI thread only.
[[nodiscard]] PresetImport addPresets(Presets& into, const std::vector<Preset>& presets);

} // namespace highwater::ui
