#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace highwater::ui {

/// Contents of a Windows Performance Analyzer profile (.wpaProfile) in its own terms. Both forms are supported: WPA 10
/// (WpaProfileContainer) and Windows 8.1 (WpaProfile). Plain values.

struct WpaColumn {
    QString guid;
    QString name;
    QString aggregation; ///< AggregationMode: "Sum", "Peak", ...; empty: none
    QString sortOrder;   ///< "Ascending", "Descending"; empty: not sorted by it
    int sortPriority = 0;
    QString cellFormat; ///< "MB", "x", "sN", ...
    QString stackMode;  ///< "StackTag", "FrameTags"; empty or "Stack": frames
    bool isVisible = false;
    bool isWallClock = false;
    bool isInView = false; ///< for durations: the part inside the interval
};

struct WpaPreset {
    QString name;
    QString chart;       ///< GraphChartType; empty: lines
    QString aggregation; ///< AggregationOverTime; empty: none
    QString filter;      ///< InitialFilterQuery
    bool filterKeeps = true;
    QString expansion; ///< InitialExpansionQuery
    bool hasHighlights = false, hasAnnotations = false;
    std::vector<WpaColumn> columns; ///< from left to right, visible or not
    /// Positions of the bars among columns and bars, from 0. Only the gold and the blue one have a meaning here; the
    /// others freeze columns while scrolling.
    std::optional<int> gold, blue, leftFreeze, rightFreeze;
};

struct WpaGraph {
    QString guid; ///< in the first form: the class name if there is no GUID
    bool isShown = true;
    std::vector<WpaPreset> presets;
};

struct WpaView {
    QString title;
    std::vector<WpaGraph> graphs;
};

struct WpaProfile {
    std::vector<WpaView> views;
    std::vector<WpaGraph> saved; ///< modified presets, of graphs in a view or not
    QStringList tagFiles;        ///< stack tag files, by name
    QString trouble;             ///< a sentence: where reading stopped, or an unknown version
};

struct ReadWpaProfile {
    std::optional<WpaProfile> profile;
    QString refusal; ///< a clause without the file name; empty: there is a profile
};

inline constexpr qint64 kLargestProfile = 16 << 20; ///< bytes
/// Editors on Windows save text as UTF-16, whatever its declaration says. Without a BOM or a recognizable first '<' it
/// is UTF-8. Any thread.
[[nodiscard]] QString textOfProfile(const QByteArray& bytes);
/// Rejects entities and document types; excess parts are cut and reported. Any thread.
[[nodiscard]] ReadWpaProfile readWpaProfile(const QByteArray& bytes);

} // namespace highwater::ui
