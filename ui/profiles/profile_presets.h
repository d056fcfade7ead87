#pragma once

#include "ui/profiles/wpa_profile.h"
#include "ui/state/presets.h"
#include "ui/state/table/filter_step.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <optional>
#include <vector>

namespace highwater::ui {

/// A graph of a profile's view, to be shown.
struct ProfileGraph {
    std::size_t preset = 0; ///< in ProfilePresets::presets
    std::optional<FilterStep> filter;
};
struct ProfileView {
    QString title;
    std::vector<ProfileGraph> graphs; ///< at least one
};

/// What a profile means here.
struct ProfilePresets {
    std::vector<Preset> presets; ///< of each graph each name once, as far as they look different
    std::vector<ProfileView> views;
    /// What is not known or not there, a line each: "Preset: column Stack Tag". What is invisible in WPA counts
    /// nowhere.
    QStringList leftOut;
};

/// Columns in their order, the gold and the blue bar, sorting, aggregations, units. Widths are not taken: columns are
/// as wide as what they hold. Any thread.
[[nodiscard]] ProfilePresets presetsOf(const WpaProfile& profile);

} // namespace highwater::ui
