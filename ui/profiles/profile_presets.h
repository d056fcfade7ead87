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

/// A graph to show in a profile's view.
struct ProfileGraph {
    std::size_t preset = 0; ///< in ProfilePresets::presets
    std::optional<FilterStep> filter;
};
struct ProfileView {
    QString title;
    std::vector<ProfileGraph> graphs; ///< at least one
};

/// A profile converted to presets and views.
struct ProfilePresets {
    std::vector<Preset> presets; ///< one per graph and name, unless they look different
    std::vector<ProfileView> views;
    /// Unsupported or missing parts, one per line: "Preset: column Stack Tag". Parts that are invisible in WPA are
    /// ignored.
    QStringList leftOut;
};

/// Converts columns in order, the gold and the blue bar, sorting, aggregations and units. Widths are ignored, because
/// columns fit their contents. Any thread.
[[nodiscard]] ProfilePresets presetsOf(const WpaProfile& profile);

} // namespace highwater::ui
