#include "ui/format/count_text.h"
#include "ui/format/qt_text.h"
#include "ui/session/session.h"
#include "ui/session/session_format.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace highwater::ui {
namespace {

// Far beyond real sessions. Crafted files are cut to them.
constexpr qsizetype kMostTabs = 100;
constexpr qsizetype kMostGraphs = 20; ///< per tab
constexpr qsizetype kMostFilters = 100;
constexpr qsizetype kMostRows = 20'000;
constexpr qsizetype kMostSteps = 4'096; ///< per row: the deepest stack
constexpr qsizetype kMostMarks = 10'000;
constexpr qsizetype kMostFiles = 100;
constexpr qsizetype kLongestText = 4'096;

QString textOf(const QJsonValue& value) { return value.toString().left(kLongestText); }

StoredPath rowFromJson(const QJsonValue& value) {
    StoredPath row;
    const auto steps = value.toArray();
    for (qsizetype i = 0; i < std::min(steps.size(), kMostSteps); ++i) {
        const auto step = steps[i].toArray();
        row.push_back({textOf(step[0]), textOf(step[1])});
    }
    return row;
}

std::vector<StoredPath> rowsFromJson(const QJsonValue& value) {
    std::vector<StoredPath> rows;
    const auto array = value.toArray();
    for (qsizetype i = 0; i < std::min(array.size(), kMostRows); ++i)
        rows.push_back(rowFromJson(array[i]));
    return rows;
}

std::optional<TimeRange> rangeFromJson(const QJsonValue& value) {
    const auto ends = value.toArray();
    if (ends.size() != 2) return std::nullopt;
    const TimeRange range{{ends[0].toInteger()}, {ends[1].toInteger()}};
    return range.start < range.end ? std::optional(range) : std::nullopt;
}

SessionFilter filterFromJson(const QJsonObject& json) {
    SessionFilter filter;
    filter.text = textOf(json["text"]);
    filter.isQuery = json["query"].toBool();
    filter.rows = rowsFromJson(json["rows"]);
    filter.removes = json["removes"].toBool();
    filter.hasName = json["named"].toBool();
    filter.scope = json["allGraphs"].toBool() ? FilterScope::AllGraphs : FilterScope::ThisGraph;
    return filter;
}

class SessionReader {
  public:
    explicit SessionReader(const QJsonObject& json) : json_(json) {}

    ReadSession read(const QString& path) {
        Session session;
        session.files = files(path);
        if (session.files.empty()) return {std::nullopt, tr("it does not name a trace"), {}};
        const auto tabs = json_["tabs"].toArray();
        for (qsizetype i = 0; i < std::min(tabs.size(), kMostTabs); ++i)
            addTab(session, tabs[i].toObject());
        if (tabs.size() > kMostTabs)
            leftOut_ << countText(tabs.size() - kMostTabs, "1 tab after the first %2", "%1 tabs after the first %2")
                            .arg(kMostTabs);
        session.currentTab =
            std::clamp(json_["currentTab"].toInt(), 0, std::max(0, static_cast<int>(session.tabs.size()) - 1));
        session.marks = marks();
        const auto snapshots = json_["snapshots"].toArray();
        for (qsizetype i = 0; i < std::min(snapshots.size(), kMostMarks); ++i)
            session.snapshots.push_back({snapshots[i].toInteger()});
        session.notes = notes();
        session.presets = presets();
        session.symbolPath = json_["symbolPath"].toString().left(16 * kLongestText);
        session.stackTags = definitions(path, json_["stackTags"]);
        session.suppressions = definitions(path, json_["suppressions"]);
        session.processExitFreesHeap = json_["processExitFreesHeap"].toBool();
        leftOut_.removeDuplicates();
        return {std::move(session), {}, leftOut_};
    }

  private:
    /// The stored path, or the path relative to the session if the file has moved with it.
    static QString placeOf(const QString& path, const QJsonObject& entry) {
        const auto beside = textOf(entry["beside"]);
        const auto moved = QDir::cleanPath(QFileInfo(path).absoluteDir().absoluteFilePath(beside));
        // A session is untrusted: a relative path starts at the folder that it was opened from and never leads to
        // another computer.
        const bool hasMoved = !beside.isEmpty() && QDir::isRelativePath(beside) && QFileInfo(moved).isFile();
        return hasMoved ? moved : textOf(entry["path"]);
    }

    static std::optional<QStringList> definitions(const QString& path, const QJsonValue& value) {
        if (!value.isArray()) return std::nullopt;
        QStringList files;
        const auto array = value.toArray();
        for (qsizetype i = 0; i < std::min(array.size(), kMostFiles); ++i) {
            const auto file = array[i].isObject() ? placeOf(path, array[i].toObject()) : textOf(array[i]);
            if (!file.isEmpty()) files << file;
        }
        return files;
    }

    std::vector<SessionFile> files(const QString& path) const {
        std::vector<SessionFile> files;
        const auto array = json_["trace"].toArray();
        for (qsizetype i = 0; i < std::min(array.size(), kMostFiles); ++i) {
            const auto entry = array[i].toObject();
            SessionFile file{placeOf(path, entry), entry["bytes"].toInteger()};
            if (!file.path.isEmpty()) files.push_back(std::move(file));
        }
        return files;
    }

    void addTab(Session& session, const QJsonObject& json) {
        SessionTab tab;
        tab.name = textOf(json["name"]);
        tab.isLinked = json["linked"].toBool();
        tab.visible = rangeFromJson(json["visible"]);
        tab.selection = rangeFromJson(json["selection"]);
        tab.highlight = rangeFromJson(json["highlight"]);
        if (json["instant"].isDouble()) tab.instant = TraceTime{json["instant"].toInteger()};
        const auto graphs = json["graphs"].toArray();
        if (graphs.size() > kMostGraphs)
            leftOut_ << tr("%1: %2").arg(tab.name, countText(graphs.size() - kMostGraphs, "1 graph after the first %2",
                                                             "%1 graphs after the first %2")
                                                       .arg(kMostGraphs));
        for (qsizetype i = 0; i < std::min(graphs.size(), kMostGraphs); ++i) {
            auto graph = graphFromJson(graphs[i].toObject(), tab.name);
            const auto isSame = [&](const SessionGraph& other) {
                return other.preset.layout.table == graph->preset.layout.table;
            };
            if (graph && std::none_of(tab.graphs.begin(), tab.graphs.end(), isSame)) // a tab has each graph at most
                                                                                     // once
                tab.graphs.push_back(std::move(*graph));
        }
        if (!tab.graphs.empty()) session.tabs.push_back(std::move(tab));
    }

    std::optional<SessionGraph> graphFromJson(const QJsonObject& json, const QString& tab) {
        const auto preset = json["preset"].toObject();
        auto read = presetFromJson(preset);
        if (!read) {
            leftOut_ << tr("%1: graph %2").arg(tab, textOf(preset["table"]));
            return std::nullopt;
        }
        for (const auto& column : read->unknownColumns)
            leftOut_ << tr("%1: column %2").arg(tab, column);
        for (const auto& label : read->unreadLabels)
            leftOut_ << tr("%1: annotation %2").arg(tab, label);
        SessionGraph graph;
        graph.preset = std::move(read->preset);
        graph.preset.name = textOf(json["presetName"]);
        auto& layout = graph.preset.layout;
        if (layout.keys.empty()) layout.keys = defaultLayout(layout.table).keys;
        graph.parts = partsFromJson(json["parts"].toString());
        const auto filters = json["filters"].toArray();
        for (qsizetype i = 0; i < std::min(filters.size(), kMostFilters); ++i)
            graph.filters.push_back(filterFromJson(filters[i].toObject()));
        graph.opened = rowsFromJson(json["opened"]);
        graph.openedLines = rowsFromJson(json["openedLines"]);
        graph.closedLines = rowsFromJson(json["closedLines"]);
        graph.hiddenLines = rowsFromJson(json["hiddenLines"]);
        return graph;
    }

    static GraphParts partsFromJson(const QString& word) {
        for (const auto parts : {GraphParts::GraphOnly, GraphParts::TableOnly}) {
            if (word == QLatin1String(session_format::kParts[static_cast<std::size_t>(parts)])) return parts;
        }
        return GraphParts::GraphAndTable;
    }

    MarkList::Kept marks() {
        MarkList::Kept marks;
        const auto made = json_["marks"]["made"].toArray(), edited = json_["marks"]["edited"].toArray();
        for (qsizetype i = 0; i < std::min(made.size(), kMostMarks); ++i) {
            const auto name = textOf(made[i]["name"]).toStdString();
            if (name.empty()) continue;
            // toInteger() returns its argument for a value that is not a 64-bit integer.
            const auto time = made[i]["ns"];
            if (const auto ns = time.toInteger(); ns == time.toInteger(-1))
                marks.made.push_back({0, TraceTime{ns}, name});
            else
                leftOut_ << tr("the mark %1, which has an invalid time").arg(QString::fromStdString(name));
        }
        for (qsizetype i = 0; i < std::min(edited.size(), kMostMarks); ++i)
            marks.edited.push_back({edited[i]["ticks"].toInteger(), textOf(edited[i]["name"]).toStdString()});
        return marks;
    }

    std::vector<SessionNote> notes() {
        std::vector<SessionNote> notes;
        const auto array = json_["notes"].toArray();
        for (qsizetype i = 0; i < std::min(array.size(), kMostMarks); ++i) {
            const auto table = analysis::parseTable(array[i]["table"].toString().toStdString());
            const auto text = textOf(array[i]["text"]);
            auto row = rowFromJson(array[i]["row"]);
            if (table && !row.empty() && !text.isEmpty())
                notes.push_back({*table, std::move(row), text});
            else
                leftOut_ << tr("a note on %1: %2").arg(textOf(array[i]["table"]), text);
        }
        if (array.size() > kMostMarks)
            leftOut_ << countText(array.size() - kMostMarks, "1 note after the first %2", "%1 notes after the first %2")
                            .arg(kMostMarks);
        return notes;
    }

    std::vector<Preset> presets() {
        std::vector<Preset> presets;
        const auto array = json_["presets"].toArray();
        for (qsizetype i = 0; i < std::min(array.size(), kMostGraphs * kMostTabs); ++i) {
            const auto entry = array[i].toObject();
            auto read = presetFromJson(entry);
            if (read && !read->preset.layout.keys.empty())
                presets.push_back(std::move(read->preset));
            else
                leftOut_ << tr("preset %1 of the table %2").arg(textOf(entry["name"]), textOf(entry["table"]));
        }
        return presets;
    }

    const QJsonObject& json_;
    QStringList leftOut_;
};

ReadSession refused(const QString& why) { return {std::nullopt, why, {}}; }

} // namespace

ReadSession sessionFromJson(const QByteArray& bytes, const QString& path) {
    if (bytes.size() > kLargestSession) return refused(tr("it is too large to be a session"));
    const auto json = QJsonDocument::fromJson(bytes).object();
    if (json["format"].toString() != QLatin1String(session_format::kFormat))
        return refused(tr("it is not a Highwater session or it is damaged"));
    if (json["version"].toInt() > session_format::kVersion)
        return refused(tr("it was saved by a newer version of Highwater (format %1)").arg(json["version"].toInt()));
    return SessionReader(json).read(path);
}

} // namespace highwater::ui
