#include "ui/state/presets.h"

#include "ui/format/qt_text.h"
#include "ui/state/table/annotation_rules.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <array>
#include <utility>

namespace highwater::ui {
namespace {

using analysis::Aggregation;
using analysis::kTables;
using analysis::Table;
using analysis::ValueColumn;

Preset toPreset(const analysis::StandardPreset& standard) {
    return {toQString(standard.name), layoutOf(standard), standard.isStacked ? ChartType::StackedArea : ChartType::Line,
            standard.levels};
}

std::vector<Preset> presetsOf(Table table) {
    std::vector<Preset> presets;
    for (const auto& standard : analysis::standardPresetsOf(table)) {
        presets.push_back(toPreset(standard));
    }
    return presets;
}

/// Also for keys: a column without an aggregation has its own name.
QString nameOf(Table table, ValueColumn column) {
    return QString::fromStdString(analysis::valueColumnName(table, column));
}

std::optional<ValueColumn> columnNamed(Table table, const QString& name) {
    const auto utf8 = name.toStdString();
    const auto known = analysis::columnsOf(table);
    auto column = analysis::parseValueColumn(table, utf8);
    if (!column) {
        if (const auto key = analysis::parseColumn(table, utf8)) column = ValueColumn(*key);
    }
    if (!column || std::find(known.begin(), known.end(), column->column) == known.end()) return std::nullopt;
    return column;
}

constexpr int kMostLevels = 64; ///< upper limit for stored values

constexpr std::array kUnitWords{"own", "B", "KB", "MB", "GB", "hex", "dec", "s", "ms", "us", "wall clock"};
constexpr std::array kChartWords{"line", "stacked area", "bars", "lifetimes", "new bytes", "flames", "icicle"};

template <typename Enum, std::size_t kCount>
Enum fromWord(const std::array<const char*, kCount>& words, const QJsonValue& value) {
    const auto text = value.toString();
    const auto found =
        std::find_if(words.begin(), words.end(), [&](const char* word) { return text == QLatin1String(word); });
    return found == words.end() ? Enum{} : static_cast<Enum>(found - words.begin());
}

QJsonObject columnToJson(Table table, const LayoutColumn& column) {
    QJsonObject json{{"column", nameOf(table, column.value)}};
    if (column.format.unit != ColumnUnit::Own)
        json["unit"] = kUnitWords.at(static_cast<std::size_t>(column.format.unit));
    if (column.format.decimals >= 0) json["decimals"] = column.format.decimals;
    if (column.width > 0) json["width"] = column.width;
    return json;
}

QJsonArray columnsToJson(Table table, const std::vector<LayoutColumn>& columns) {
    QJsonArray array;
    for (const auto& column : columns) {
        array << columnToJson(table, column);
    }
    return array;
}

std::optional<LayoutColumn> columnFromJson(Table table, const QJsonObject& json, QStringList& unknown) {
    const auto name = json["column"].toString();
    const auto value = columnNamed(table, name);
    if (!value) {
        unknown << name;
        return std::nullopt;
    }
    LayoutColumn column(*value);
    column.format.unit = fromWord<ColumnUnit>(kUnitWords, json["unit"]);
    column.format.decimals = json["decimals"].toInt(-1);
    column.width = json["width"].toInt(0);
    return column;
}

std::vector<LayoutColumn> keysFromJson(Table table, const QJsonArray& array, QStringList& unknown) {
    std::vector<LayoutColumn> keys;
    for (const auto& json : array) {
        const auto key = columnFromJson(table, json.toObject(), unknown);
        if (!key) continue;
        if (analysis::isAggregate(key->value.column) || key->value.aggregation != Aggregation::Own)
            unknown << json.toObject()["column"].toString(); // a value cannot group rows
        else
            keys.push_back(*key);
    }
    return keys;
}

/// The last `graphed` entries of the array are right of the blue bar, as far as their columns are known.
void readValues(TableLayout& layout, const QJsonArray& array, int graphed, QStringList& unknown) {
    for (qsizetype i = 0; i < array.size(); ++i) {
        const auto value = columnFromJson(layout.table, array[i].toObject(), unknown);
        if (!value) continue;
        layout.columns.push_back(*value);
        if (i >= array.size() - graphed) ++layout.graphed;
    }
}

} // namespace

const std::vector<Preset>& standardPresets(Table table) {
    static const auto virtualAlloc = presetsOf(Table::VirtualAlloc);
    static const auto heap = presetsOf(Table::Heap);
    static const auto frees = presetsOf(Table::Frees);
    static const auto snapshots = presetsOf(Table::Snapshot);
    static const auto managed = presetsOf(Table::Managed);
    static const auto gcHeap = presetsOf(Table::GcHeap);
    switch (table) {
    case Table::VirtualAlloc:
        return virtualAlloc;
    case Table::Heap:
        return heap;
    case Table::Frees:
        return frees;
    case Table::Managed:
        return managed;
    case Table::GcHeap:
        return gcHeap;
    case Table::Snapshot:
        break;
    }
    return snapshots;
}

QJsonObject presetToJson(const Preset& preset) {
    const auto table = preset.layout.table;
    QJsonArray sort;
    for (const auto& key : preset.layout.sort) {
        sort << QJsonObject{{"column", nameOf(table, key.value())}, {"descending", key.descending}};
    }
    QJsonObject json{{"name", preset.name},
                     {"table", toQString(analysis::tableWord(table))},
                     {"chart", kChartWords.at(static_cast<std::size_t>(preset.chart))},
                     {"keys", columnsToJson(table, preset.layout.keys)},
                     {"columns", columnsToJson(table, preset.layout.columns)},
                     {"graphed", static_cast<int>(preset.layout.graphed)},
                     {"sort", sort}};
    if (preset.seriesLevels > 1) json["levels"] = static_cast<int>(preset.seriesLevels);
    const auto& annotations = preset.layout.annotations;
    if (!annotations.empty()) json["annotations"] = annotationsToJson(annotations);
    return json;
}

std::optional<ReadPreset> presetFromJson(const QJsonObject& json) {
    const auto table = analysis::parseTable(json["table"].toString().toStdString());
    const auto name = json["name"].toString().trimmed();
    if (!table || name.isEmpty()) return std::nullopt;
    ReadPreset read;
    read.preset.name = name;
    read.preset.chart = fromWord<ChartType>(kChartWords, json["chart"]);
    read.preset.seriesLevels = static_cast<std::uint32_t>(std::clamp(json["levels"].toInt(1), 1, kMostLevels));
    auto& layout = read.preset.layout;
    layout.table = *table;
    layout.keys = keysFromJson(*table, json["keys"].toArray(), read.unknownColumns);
    readValues(layout, json["columns"].toArray(), json["graphed"].toInt(), read.unknownColumns);
    for (const auto& entry : json["sort"].toArray()) {
        const auto column = columnFromJson(*table, entry.toObject(), read.unknownColumns);
        if (!column) continue;
        const bool descending = entry.toObject()["descending"].toBool(true);
        layout.sort.push_back({column->value.column, descending, column->value.aggregation});
    }
    layout.annotations = annotationsFromJson(*table, json["annotations"].toArray(), read.unreadLabels);
    read.unknownColumns.removeDuplicates();
    return read;
}

std::vector<Preset> Presets::of(Table table) const {
    auto presets = standardPresets(table);
    std::copy_if(own_.begin(), own_.end(), std::back_inserter(presets),
                 [&](const Preset& preset) { return preset.layout.table == table; });
    return presets;
}

std::optional<Preset> Presets::find(Table table, const QString& name) const {
    for (const auto& preset : of(table)) {
        if (preset.name == name) return preset;
    }
    return std::nullopt;
}

std::vector<Preset>::iterator Presets::ownOf(Table table, const QString& name) {
    return std::find_if(own_.begin(), own_.end(),
                        [&](const Preset& preset) { return preset.layout.table == table && preset.name == name; });
}

bool Presets::isOwn(Table table, const QString& name) const {
    return std::any_of(own_.begin(), own_.end(),
                       [&](const Preset& preset) { return preset.layout.table == table && preset.name == name; });
}

bool Presets::save(Preset preset) {
    preset.name = preset.name.trimmed();
    const auto table = preset.layout.table;
    const auto found = ownOf(table, preset.name);
    if (preset.name.isEmpty() || (found == own_.end() && find(table, preset.name))) return false;
    if (!preset.layout.showsAnnotations()) preset.layout.annotations.clear();
    const auto before = found == own_.end() ? std::nullopt : std::optional(*found);
    const bool isOther = before && !before->looksLike(preset);
    put(std::move(preset));
    if (isOther) emit replaced(*before);
    return true;
}

void Presets::put(Preset preset) {
    const auto found = ownOf(preset.layout.table, preset.name);
    if (found == own_.end())
        own_.push_back(std::move(preset));
    else
        *found = std::move(preset);
    emit changed();
}

void Presets::restore(const Preset& preset) { put(preset); }

bool Presets::rename(Table table, const QString& from, const QString& to) {
    const auto name = to.trimmed();
    const auto found = ownOf(table, from);
    if (found == own_.end() || name.isEmpty() || find(table, name)) return false;
    found->name = name;
    if (preferred_.value(static_cast<int>(table)) == from) preferred_[static_cast<int>(table)] = name;
    emit renamed(table, from, name);
    emit changed();
    return true;
}

void Presets::remove(Table table, const QString& name) {
    const auto found = ownOf(table, name);
    if (found == own_.end()) return;
    const auto gone = *found;
    own_.erase(found);
    emit changed();
    emit removed(gone);
}

Preset Presets::preferred(Table table) const {
    const auto name = preferred_.value(static_cast<int>(table));
    auto preset = find(table, name).value_or(standardPresets(table).front());
    if (preset.layout.annotations.empty()) preset.layout.annotations = annotations_.value(static_cast<int>(table));
    return preset;
}

void Presets::setAnnotations(Table table, const analysis::Annotations& annotations) {
    if (areLabelsForeign_ || annotations_.value(static_cast<int>(table)) == annotations) return;
    annotations_[static_cast<int>(table)] = annotations;
    emit changed();
}

void Presets::withForeignLabels(const std::function<void()>& give) {
    const bool before = std::exchange(areLabelsForeign_, true);
    give();
    areLabelsForeign_ = before;
}

void Presets::setPreferred(Table table, const QString& name) {
    if (preferred_.value(static_cast<int>(table)) == name) return;
    preferred_[static_cast<int>(table)] = name;
    emit changed();
}

QByteArray Presets::toJson() const {
    QJsonArray own;
    for (const auto& preset : own_) {
        own << presetToJson(preset);
    }
    QJsonObject preferred, annotations;
    for (const auto table : kTables) {
        const auto word = toQString(analysis::tableWord(table));
        const auto name = preferred_.value(static_cast<int>(table));
        if (!name.isEmpty()) preferred[word] = name;
        const auto labels = annotationsToJson(annotations_.value(static_cast<int>(table)));
        if (!labels.isEmpty()) annotations[word] = labels;
    }
    return QJsonDocument(QJsonObject{{"presets", own}, {"preferred", preferred}, {"annotations", annotations}})
        .toJson(QJsonDocument::Compact);
}

QStringList Presets::loadJson(const QByteArray& json) {
    QStringList problems, unread;
    own_.clear();
    preferred_.clear();
    annotations_.clear();
    const auto document = QJsonDocument::fromJson(json);
    if (!json.isEmpty() && !document.isObject()) problems << tr("The saved presets cannot be read and are ignored.");
    for (const auto& entry : document["presets"].toArray()) {
        const auto read = presetFromJson(entry.toObject());
        if (!read || find(read->preset.layout.table, read->preset.name)) {
            problems << tr(
                "A saved preset was ignored because its name is empty or already used, or its table is unknown.");
            continue;
        }
        if (!read->unknownColumns.isEmpty()) {
            problems << tr("Preset “%1” contains unknown columns: %2.")
                            .arg(read->preset.name, read->unknownColumns.join(QStringLiteral(", ")));
        }
        unread << read->unreadLabels;
        own_.push_back(read->preset);
    }
    for (const auto table : kTables) {
        const auto word = toQString(analysis::tableWord(table));
        const auto name = document["preferred"][word].toString();
        if (!name.isEmpty()) preferred_[static_cast<int>(table)] = name;
        auto labels = annotationsFromJson(table, document["annotations"][word].toArray(), unread);
        if (!labels.empty()) annotations_[static_cast<int>(table)] = std::move(labels);
    }
    unread.removeDuplicates();
    if (!unread.isEmpty()) {
        problems << tr("Saved labels were ignored because their queries cannot be read: %1.")
                        .arg(unread.join(QStringLiteral(", ")));
    }
    emit changed();
    return problems;
}

bool Preset::isShownBy(const GraphState& graph) const { return looksLike(presetOf(graph, name)); }

bool Preset::looksLike(const Preset& other) const {
    const auto levels = [](const Preset& of) {
        return std::clamp(of.seriesLevels, 1u, std::max(1u, seriesLevelsOf(of.layout)));
    };
    return chart == other.chart && layout.looksLike(other.layout) && levels(*this) == levels(other);
}

Preset presetOf(const GraphState& graph, const QString& name) {
    return {name, graph.layout(), graph.chart(), graph.seriesLevels()};
}

std::optional<Preset> presetShownBy(const GraphState& graph, const std::vector<Preset>& presets) {
    const auto isShown = [&](const Preset& preset) { return preset.isShownBy(graph); };
    const auto named = std::find_if(presets.begin(), presets.end(), [&](const Preset& preset) {
        return preset.name == graph.presetName() && isShown(preset);
    });
    if (named != presets.end()) return *named;
    const auto same = std::find_if(presets.begin(), presets.end(), isShown);
    return same == presets.end() ? std::nullopt : std::optional(*same);
}

void usePreset(GraphState& graph, const Preset& preset) {
    graph.setPresetName(preset.name);
    graph.setChart(preset.chart);
    auto layout = preset.layout;
    if (layout.annotations.empty()) layout.annotations = graph.layout().annotations;
    graph.setLayout(std::move(layout));
    graph.setSeriesLevels(preset.seriesLevels);
}

} // namespace highwater::ui

#include "moc_presets.cpp"
