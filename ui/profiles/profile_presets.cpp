#include "ui/profiles/profile_presets.h"

#include "ui/format/qt_text.h"
#include "ui/profiles/wpa_names.h"
#include "ui/state/table/layout_edit.h"

#include <QHash>

#include <algorithm>
#include <array>
#include <utility>

namespace highwater::ui {
namespace {

using analysis::Aggregation;
using analysis::Column;
using analysis::Table;
using analysis::ValueColumn;

template <typename Value>
struct Word {
    const char* word;
    Value value;
};
template <typename List>
auto valueOf(const List& words, const QString& text) {
    const auto found = std::find_if(words.begin(), words.end(), [&](const auto& word) {
        return text.compare(QLatin1String(word.word), Qt::CaseInsensitive) == 0;
    });
    return found == words.end() ? std::nullopt : std::optional(found->value);
}

constexpr std::array kAggregations{
    Word<Aggregation>{"", Aggregation::Own},
    Word<Aggregation>{"None", Aggregation::Own},
    Word<Aggregation>{"Sum", Aggregation::Sum},
    Word<Aggregation>{"Count", Aggregation::Count},
    Word<Aggregation>{"Min", Aggregation::Min},
    Word<Aggregation>{"Max", Aggregation::Max},
    Word<Aggregation>{"Average", Aggregation::Average},
    Word<Aggregation>{"WeightedAverage", Aggregation::WeightedAverage},
    Word<Aggregation>{"UniqueCount", Aggregation::UniqueCount},
    Word<Aggregation>{"Peak", Aggregation::Peak},
};
constexpr std::array kCharts{
    Word<ChartType>{"", ChartType::Line},
    Word<ChartType>{"Line", ChartType::Line},
    Word<ChartType>{"StackedLine", ChartType::StackedArea},
    Word<ChartType>{"StackedBars", ChartType::Bars},
    Word<ChartType>{"Flame", ChartType::Flames},
};
// An N after a unit groups thousands, which is the default here.
constexpr std::array kUnits{
    Word<ColumnUnit>{"", ColumnUnit::Own},
    Word<ColumnUnit>{"N", ColumnUnit::Own},
    Word<ColumnUnit>{"B", ColumnUnit::Bytes},
    Word<ColumnUnit>{"KB", ColumnUnit::Kilobytes},
    Word<ColumnUnit>{"MB", ColumnUnit::Megabytes},
    Word<ColumnUnit>{"GB", ColumnUnit::Gigabytes},
    Word<ColumnUnit>{"x", ColumnUnit::Hexadecimal},
    Word<ColumnUnit>{"s", ColumnUnit::Seconds},
    Word<ColumnUnit>{"sN", ColumnUnit::Seconds},
    Word<ColumnUnit>{"m", ColumnUnit::Milliseconds},
    Word<ColumnUnit>{"mN", ColumnUnit::Milliseconds},
    Word<ColumnUnit>{"u", ColumnUnit::Microseconds},
    Word<ColumnUnit>{"uN", ColumnUnit::Microseconds},
};

/// Position of a column.
enum class Zone { Keys, Values, Graphed };

/// The zone of each column in order; columns and bars share one sequence of positions.
std::vector<Zone> zonesOf(const WpaPreset& preset) {
    std::vector<Zone> zones;
    auto zone = preset.gold ? Zone::Keys : Zone::Values;
    const auto isAt = [](const std::optional<int>& bar, int place) { return bar && *bar == place; };
    int place = 0;
    const auto passBars = [&] {
        // At most one bar occupies a position; WPA does not write two at the same one.
        for (bool isBar = true; isBar; place += isBar ? 1 : 0) {
            isBar = false;
            if (isAt(preset.gold, place)) zone = std::max(zone, Zone::Values), isBar = true;
            if (isAt(preset.blue, place)) zone = Zone::Graphed, isBar = true;
            if (isAt(preset.leftFreeze, place) || isAt(preset.rightFreeze, place)) isBar = true;
        }
    };
    for (std::size_t i = 0; i < preset.columns.size(); ++i) {
        passBars();
        zones.push_back(zone);
        ++place;
    }
    return zones;
}

/// The column for a display mode of stacks, for which WPA has a single column. Nothing: the mode is unknown.
std::optional<Column> shownAs(Column stack, const QString& mode) {
    const auto is = [&](const char* known) { return mode.compare(QLatin1String(known), Qt::CaseInsensitive) == 0; };
    if (mode.isEmpty() || is("Stack")) return stack;
    if (!analysis::showsFrames(stack)) return std::nullopt;
    if (is("StackTag")) return Column::StackTag;
    return is("FrameTags") ? std::optional(Column::FrameTags) : std::nullopt;
}

/// Builds one preset and notes its unsupported parts.
class PresetMaker {
  public:
    PresetMaker(Table table, const WpaPreset& wpa, QStringList& leftOut) : wpa_(wpa), leftOut_(leftOut) {
        preset_.name = wpa.name.isEmpty() ? toQString(analysis::tableTitle(table)) : wpa.name;
        preset_.layout.table = table;
    }

    Preset make() {
        const auto zones = zonesOf(wpa_);
        for (std::size_t i = 0; i < zones.size(); ++i) {
            if (wpa_.columns[i].isVisible) add(wpa_.columns[i], zones[i]);
        }
        if (preset_.layout.keys.empty()) {
            leaveOut(tr("none of its columns can group rows here, so rows are grouped by Process"));
            preset_.layout.keys.emplace_back(Column::Process);
        }
        takeSort();
        takeChart();
        noteUnsupportedParts();
        return std::move(preset_);
    }

  private:
    void leaveOut(const QString& what) { leftOut_ << QStringLiteral("%1: %2").arg(preset_.name, what); }

    void add(const WpaColumn& wpa, Zone zone) {
        const auto known = columnOfGraph(preset_.layout.table, wpa.guid, wpa.name);
        auto column = known ? shownAs(*known, wpa.stackMode) : std::nullopt;
        if (!column) {
            const auto name = wpa.name.isEmpty() ? wpa.guid : wpa.name;
            return leaveOut(known ? tr("column %1 as %2").arg(name, wpa.stackMode) : tr("column %1").arg(name));
        }
        if (wpa.isInView && *column == Column::LifeTime &&
            analysis::hasColumn(preset_.layout.table, Column::SelectionLifeTime))
            column = Column::SelectionLifeTime;
        if (zone == Zone::Keys)
            addKey(wpa, *column);
        else
            addValue(wpa, *column, zone);
    }

    void addKey(const WpaColumn& wpa, Column column) {
        auto& layout = preset_.layout;
        const auto key = asKey(layout, column);
        if (!key)
            return leaveOut(tr("column %1 left of the gold bar, because rows cannot be grouped by it").arg(wpa.name));
        const auto keys = layout.keyColumns();
        if (std::find(keys.begin(), keys.end(), *key) != keys.end()) return;
        LayoutColumn shown(*key);
        shown.format = formatOf(wpa, *key);
        layout.keys.push_back(shown);
        noteSort(wpa, *key);
    }

    void addValue(const WpaColumn& wpa, Column column, Zone zone) {
        auto& layout = preset_.layout;
        const ValueColumn value(column, aggregationOf(wpa, column));
        const auto isThere = [&](const LayoutColumn& other) {
            return analysis::normalized(other.value) == analysis::normalized(value);
        };
        if (std::any_of(layout.columns.begin(), layout.columns.end(), isThere)) return;
        LayoutColumn shown(value);
        shown.format = formatOf(wpa, value);
        layout.columns.push_back(shown);
        if (zone == Zone::Graphed) ++layout.graphed;
        noteSort(wpa, value);
    }

    Aggregation aggregationOf(const WpaColumn& wpa, Column column) {
        const auto wanted = valueOf(kAggregations, wpa.aggregation);
        const auto offered = analysis::aggregationsOf(preset_.layout.table, column);
        if (wanted == Aggregation::Own) return Aggregation::Own;
        if (!wanted || std::find(offered.begin(), offered.end(), *wanted) == offered.end()) {
            leaveOut(tr("aggregation %1 of %2").arg(wpa.aggregation, wpa.name));
            return Aggregation::Own;
        }
        // The first is the column's default.
        return *wanted == offered.front() ? Aggregation::Own : *wanted;
    }

    ColumnFormat formatOf(const WpaColumn& wpa, ValueColumn value) {
        ColumnFormat format;
        const auto offered = unitsOf(value);
        const auto take = [&](ColumnUnit unit) {
            if (std::find(offered.begin(), offered.end(), unit) != offered.end()) format.unit = unit;
        };
        const auto unit = valueOf(kUnits, wpa.cellFormat);
        if (unit)
            take(*unit); // the column's default unit is not a choice
        else if (!takeDecimals(wpa.cellFormat, format))
            leaveOut(tr("format %1 of %2").arg(wpa.cellFormat, wpa.name));
        if (wpa.isWallClock) take(ColumnUnit::WallClock);
        return format;
    }

    /// "N2", "F3".
    static bool takeDecimals(const QString& format, ColumnFormat& into) {
        constexpr int kMostDecimals = 9;
        bool isNumber = false;
        const int decimals = format.mid(1).toInt(&isNumber);
        if (!isNumber || decimals < 0 || !QStringLiteral("NnFf").contains(format.front())) return false;
        into.decimals = std::min(decimals, kMostDecimals);
        return true;
    }

    void noteSort(const WpaColumn& wpa, ValueColumn value) {
        const bool isDescending = wpa.sortOrder.compare(QLatin1String("Descending"), Qt::CaseInsensitive) == 0;
        if (!isDescending && wpa.sortOrder.compare(QLatin1String("Ascending"), Qt::CaseInsensitive) != 0) return;
        sort_.emplace_back(wpa.sortPriority, analysis::SortKey{value.column, isDescending, value.aggregation});
    }

    void takeSort() {
        std::stable_sort(sort_.begin(), sort_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& level : sort_)
            preset_.layout.sort.push_back(level.second);
    }

    void takeChart() {
        const auto chart = valueOf(kCharts, wpa_.chart);
        if (!chart) leaveOut(tr("chart %1").arg(wpa_.chart));
        preset_.chart = chart.value_or(ChartType::Line);
    }

    void noteUnsupportedParts() {
        if (!wpa_.aggregation.isEmpty() && wpa_.aggregation != QLatin1String("OutstandingPeak"))
            leaveOut(tr("graph of %1 over time, because graphs show the outstanding peak").arg(wpa_.aggregation));
        if (!wpa_.expansion.isEmpty()) leaveOut(tr("expanded rows, %1").arg(wpa_.expansion));
        if (wpa_.hasHighlights) leaveOut(tr("highlights in the graph"));
        if (wpa_.hasAnnotations) leaveOut(tr("annotation queries"));
    }

    const WpaPreset& wpa_;
    QStringList& leftOut_;
    Preset preset_;
    std::vector<std::pair<int, analysis::SortKey>> sort_;
};

/// Presets of all graphs, without duplicates.
class ProfileMaker {
  public:
    ProfilePresets make(const WpaProfile& profile) {
        if (!profile.trouble.isEmpty()) made_.leftOut << profile.trouble;
        for (const auto& view : profile.views)
            addView(view);
        for (const auto& graph : profile.saved) {
            for (const auto& preset : graph.presets)
                (void)addPreset(graph.guid, preset);
        }
        for (const auto& file : profile.tagFiles)
            made_.leftOut << tr("stack tags from the file %1 (add it with Trace > Stack Tags)").arg(file);
        made_.leftOut.removeDuplicates();
        return std::move(made_);
    }

  private:
    void addView(const WpaView& wpa) {
        ProfileView view{wpa.title, {}};
        for (const auto& graph : wpa.graphs) {
            for (const auto& preset : graph.presets) {
                const auto index = addPreset(graph.guid, preset);
                if (index && graph.isShown) view.graphs.push_back({*index, filterOf(*index, preset)});
            }
        }
        if (!view.graphs.empty()) made_.views.push_back(std::move(view));
    }

    std::optional<std::size_t> addPreset(const QString& graph, const WpaPreset& wpa) {
        const auto table = tableOfGraph(graph);
        if (!table) {
            const auto name = nameOfOtherGraph(graph);
            made_.leftOut << tr("graph %1 with the preset %2").arg(name.isEmpty() ? graph : name, wpa.name);
            return std::nullopt;
        }
        auto preset = PresetMaker(*table, wpa, made_.leftOut).make();
        // A profile contains a modified preset twice: where it is shown, and with its graph.
        auto& known = byName_[qMakePair(static_cast<int>(*table), preset.name)];
        const auto same = std::find_if(known.begin(), known.end(),
                                       [&](std::size_t index) { return made_.presets[index].looksLike(preset); });
        if (same != known.end()) return *same;
        if (!known.isEmpty()) preset.name += QStringLiteral(" (%1)").arg(known.size() + 1);
        known << made_.presets.size();
        made_.presets.push_back(std::move(preset));
        return made_.presets.size() - 1;
    }

    std::optional<FilterStep> filterOf(std::size_t index, const WpaPreset& wpa) {
        if (wpa.filter.isEmpty()) return std::nullopt;
        const auto table = made_.presets[index].layout.table;
        const auto text = wpa.filterKeeps ? wpa.filter : QStringLiteral("NOT (%1)").arg(wpa.filter);
        const auto query = analysis::QueryExpression::parse(table, text.toStdString());
        FilterStep step;
        step.text = text;
        if (query.hasValue()) step.query = query.value();
        if (step.query && !step.query->isEmpty() && rowFilterOf(table, {step}).hasValue()) return step;
        made_.leftOut << tr("%1: filter %2").arg(made_.presets[index].name, wpa.filter);
        return std::nullopt;
    }

    ProfilePresets made_;
    QHash<QPair<int, QString>, QList<std::size_t>> byName_;
};

} // namespace

ProfilePresets presetsOf(const WpaProfile& profile) { return ProfileMaker().make(profile); }

} // namespace highwater::ui
