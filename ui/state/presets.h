#pragma once

#include "ui/state/graph_state.h"
#include "ui/state/table/table_layout.h"

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace highwater::ui {

/// A way to look at a table that has a name. A plain value.
struct Preset {
    QString name;
    TableLayout layout;
    ChartType chart = ChartType::Line;
    std::uint32_t seriesLevels = 1; ///< GraphState::seriesLevels
    /// Whether the graph shows just that, but for names and widths.
    [[nodiscard]] bool isShownBy(const GraphState& graph) const;
    /// The same of what another one shows.
    [[nodiscard]] bool looksLike(const Preset& other) const;
};

/// Those that every table comes with; the first is defaultLayout().
[[nodiscard]] const std::vector<Preset>& standardPresets(analysis::Table table);

/// Columns by WPA's names, so that a person can read and edit it, and another version understands it.
[[nodiscard]] QJsonObject presetToJson(const Preset& preset);
struct ReadPreset {
    Preset preset;
    QStringList unknownColumns; ///< named there, known to no such table here: left out
    QStringList unreadLabels;   ///< with queries that cannot be used here: left out
};
/// Nothing if it names no table, or lacks a name.
[[nodiscard]] std::optional<ReadPreset> presetFromJson(const QJsonObject& json);

/// The presets of all tables: the standard ones and the user's own, and which one, and which labels, the user used last
/// for each table.
/// Knows no file: whoever owns it stores toJson() when changed() says so. GUI thread only.
class Presets : public QObject {
    Q_OBJECT
  public:
    explicit Presets(QObject* parent = nullptr) : QObject(parent) {}

    /// The standard ones, then the user's own.
    [[nodiscard]] std::vector<Preset> of(analysis::Table table) const;
    [[nodiscard]] std::optional<Preset> find(analysis::Table table, const QString& name) const;
    [[nodiscard]] bool isOwn(analysis::Table table, const QString& name) const;
    /// An own one, which replaces one of the same name; labels are part of it if it shows them. False for empty names
    /// and those of standard presets.
    bool save(Preset preset);
    /// False when the new name is taken, or empty.
    bool rename(analysis::Table table, const QString& from, const QString& to);
    void remove(analysis::Table table, const QString& name);
    /// One that was removed or replaced, as it was.
    void restore(const Preset& preset);

    /// What new graphs of this table start with, with the labels that were used last unless it has its own.
    [[nodiscard]] Preset preferred(analysis::Table table) const;
    void setPreferred(analysis::Table table, const QString& name);
    /// These labels of the table are used now.
    void setAnnotations(analysis::Table table, const analysis::Annotations& annotations);
    /// Labels that graphs get meanwhile are somebody else's, as those of a session: setAnnotations() changes nothing.
    void giveOthersLabels(const std::function<void()>& give);

    [[nodiscard]] QByteArray toJson() const;
    /// Replaces everything. Sentences about what could not be understood; the rest is taken.
    QStringList loadJson(const QByteArray& json);

  signals:
    void changed();
    void renamed(highwater::analysis::Table table, const QString& from, const QString& to);
    /// Both tell what restore() brings back.
    void removed(const highwater::ui::Preset& preset);
    void replaced(const highwater::ui::Preset& before);

  private:
    void put(Preset preset);
    [[nodiscard]] std::vector<Preset>::iterator ownOf(analysis::Table table, const QString& name);

    std::vector<Preset> own_;
    QHash<int, QString> preferred_;                 ///< by Table
    QHash<int, analysis::Annotations> annotations_; ///< by Table
    bool areOthersGiven_ = false;
};

/// The preset that a graph shows, if it still looks like it: the one it was given, else any that looks the same (after
/// an undo). Nothing: the graph was changed.
[[nodiscard]] std::optional<Preset> presetShownBy(const GraphState& graph, const std::vector<Preset>& presets);
/// What the graph shows, under a name.
[[nodiscard]] Preset presetOf(const GraphState& graph, const QString& name);
/// Layout, chart, levels and name at once. A graph keeps its labels if the preset has none, and lines that were opened
/// by hand.
void usePreset(GraphState& graph, const Preset& preset);

} // namespace highwater::ui
