#pragma once

#include "ui/state/presets.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace highwater::ui {

/// What became of presets that came from a file.
struct PresetImport {
    std::vector<Preset> presets; ///< as they are called now, one for each that came
    QStringList added;           ///< names, those of `renamed` among them
    QStringList alreadyThere;    ///< names of those that look like the one that has their name
    QStringList renamed;         ///< "A as A (2)": the name was taken by one that looks different
    [[nodiscard]] bool isEmpty() const { return presets.empty(); }
};

/// Adds them to those of the user. None that is there is changed or replaced. GUI thread only.
[[nodiscard]] PresetImport addPresets(Presets& into, const std::vector<Preset>& presets);

} // namespace highwater::ui
