#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace highwater::ui {

/// What a profile of Windows Performance Analyzer (.wpaProfile) says, in its own words. Both forms are read: that of
/// WPA 10 (WpaProfileContainer) and that of Windows 8.1 (WpaProfile). Plain values.

struct WpaColumn {
    QString guid;
    QString name;
    QString aggregation; ///< AggregationMode: "Sum", "Peak", ...; empty: none
    QString sortOrder;   ///< "Ascending", "Descending"; empty: the table is not sorted by it
    int sortPriority = 0;
    QString cellFormat; ///< "MB", "x", "sN", ...
    QString stackMode;  ///< "StackTag", "FrameTags"; empty or "Stack": the frames
    bool isVisible = false;
    bool isWallClock = false;
    bool isInView = false; ///< of durations: the part inside the interval
};

struct WpaPreset {
    QString name;
    QString chart;       ///< GraphChartType; empty: lines
    QString aggregation; ///< AggregationOverTime; empty: none
    QString filter;      ///< InitialFilterQuery
    bool filterKeeps = true;
    QString expansion; ///< InitialExpansionQuery
    bool hasHighlights = false, hasAnnotations = false;
    std::vector<WpaColumn> columns; ///< from left to right, whether they are visible or not
    /// Where the bars stand in the line of columns and bars, from 0. Of the four only the gold and the blue one mean
    /// something; the others keep what is left or right of them in sight while one scrolls.
    std::optional<int> gold, blue, leftFreeze, rightFreeze;
};

struct WpaGraph {
    QString guid; ///< of the first form: the name of its class, where it has no GUID
    bool isShown = true;
    std::vector<WpaPreset> presets;
};

struct WpaView {
    QString title;
    std::vector<WpaGraph> graphs;
};

struct WpaProfile {
    std::vector<WpaView> views;
    std::vector<WpaGraph> saved; ///< presets that were changed, of graphs in a view or not
    QStringList tagFiles;        ///< of stack tags, by name
    QString trouble;             ///< a sentence: where reading stopped, or a version that is not known
};

struct ReadWpaProfile {
    std::optional<WpaProfile> profile;
    QString refusal; ///< a sentence without the name of the file; empty: there is a profile
};

inline constexpr qint64 kLargestProfile = 16 << 20; ///< bytes
/// Editors of Windows save text as UTF-16, whatever the text itself says; without their mark, and a first '<' that
/// tells, it is UTF-8. Any thread.
[[nodiscard]] QString textOfProfile(const QByteArray& bytes);
/// Entities and document types are refused, what is too much is cut and said. Any thread.
[[nodiscard]] ReadWpaProfile readWpaProfile(const QByteArray& bytes);

} // namespace highwater::ui
