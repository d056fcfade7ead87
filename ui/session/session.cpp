#include "ui/session/session.h"

#include "ui/format/qt_text.h"
#include "ui/session/session_format.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

namespace highwater::ui {
namespace {

QJsonArray rowToJson(const StoredPath& row) {
    QJsonArray array;
    for (const auto& step : row)
        array << QJsonArray{step.column, step.key};
    return array;
}

QJsonArray rowsToJson(const std::vector<StoredPath>& rows) {
    QJsonArray array;
    for (const auto& row : rows)
        array << rowToJson(row);
    return array;
}

QJsonValue rangeToJson(TimeRange range) {
    return QJsonArray{static_cast<qint64>(range.start.ns), static_cast<qint64>(range.end.ns)};
}

QJsonObject filterToJson(const SessionFilter& filter) {
    QJsonObject json{{"text", filter.text}};
    if (filter.isQuery)
        json["query"] = true;
    else
        json["rows"] = rowsToJson(filter.rows);
    if (filter.removes) json["removes"] = true;
    if (filter.hasName) json["named"] = true;
    if (filter.scope == FilterScope::AllGraphs) json["allGraphs"] = true;
    return json;
}

QJsonObject graphToJson(const SessionGraph& graph) {
    auto preset = graph.preset;
    preset.name = QStringLiteral("graph"); // presets in a file need a name
    QJsonObject json{{"preset", presetToJson(preset)},
                     {"presetName", graph.preset.name},
                     {"parts", QLatin1String(session_format::kParts[static_cast<std::size_t>(graph.parts)])}};
    QJsonArray filters;
    for (const auto& filter : graph.filters)
        filters << filterToJson(filter);
    if (!filters.isEmpty()) json["filters"] = filters;
    const auto addRows = [&](const char* name, const std::vector<StoredPath>& rows) {
        if (!rows.empty()) json[QLatin1String(name)] = rowsToJson(rows);
    };
    addRows("opened", graph.opened);
    addRows("openedLines", graph.openedLines);
    addRows("closedLines", graph.closedLines);
    addRows("hiddenLines", graph.hiddenLines);
    return json;
}

QJsonObject tabToJson(const SessionTab& tab) {
    QJsonObject json{{"name", tab.name}};
    if (tab.isLinked) json["linked"] = true;
    if (tab.visible) json["visible"] = rangeToJson(*tab.visible);
    if (tab.selection) json["selection"] = rangeToJson(*tab.selection);
    if (tab.highlight) json["highlight"] = rangeToJson(*tab.highlight);
    if (tab.instant) json["instant"] = static_cast<qint64>(tab.instant->ns);
    QJsonArray graphs;
    for (const auto& graph : tab.graphs)
        graphs << graphToJson(graph);
    json["graphs"] = graphs;
    return json;
}

QJsonArray filesToJson(const Session& session, const QString& path) {
    const auto folder = QFileInfo(path).absoluteDir();
    QJsonArray files;
    for (const auto& file : session.files) {
        files << QJsonObject{
            {"path", file.path}, {"beside", folder.relativeFilePath(file.path)}, {"bytes", file.bytes}};
    }
    return files;
}

/// Entries that are not paths are unchanged.
QJsonArray definitionsToJson(const QStringList& files, const QString& path) {
    const auto folder = QFileInfo(path).absoluteDir();
    QJsonArray array;
    for (const auto& file : files) {
        if (QDir::isAbsolutePath(file))
            array << QJsonObject{{"path", file}, {"beside", folder.relativeFilePath(file)}};
        else
            array << file;
    }
    return array;
}

QJsonObject marksToJson(const MarkList::Kept& marks) {
    QJsonArray made, edited;
    for (const auto& mark : marks.made)
        made << QJsonObject{{"ns", static_cast<qint64>(mark.time.ns)}, {"name", QString::fromStdString(mark.name)}};
    for (const auto& edit : marks.edited)
        edited << QJsonObject{{"ticks", static_cast<qint64>(edit.ticks)}, {"name", QString::fromStdString(edit.name)}};
    return {{"made", made}, {"edited", edited}};
}

QJsonArray notesToJson(const std::vector<SessionNote>& notes) {
    QJsonArray array;
    for (const auto& note : notes)
        array << QJsonObject{
            {"table", toQString(analysis::tableWord(note.table))}, {"row", rowToJson(note.row)}, {"text", note.text}};
    return array;
}

} // namespace

Session withoutViews(Session session) {
    session.currentTab = 0;
    for (auto& tab : session.tabs) {
        tab.visible.reset();
        tab.selection.reset();
        tab.highlight.reset();
        tab.instant.reset();
        for (auto& graph : tab.graphs) {
            for (auto* rows : {&graph.opened, &graph.openedLines, &graph.closedLines, &graph.hiddenLines})
                rows->clear();
            for (auto* columns : {&graph.preset.layout.keys, &graph.preset.layout.columns}) {
                for (auto& column : *columns)
                    column.width = 0;
            }
            for (auto& filter : graph.filters) {
                if (!filter.isQuery && !filter.hasName) filter.text.clear();
                filter.rows.clear();
            }
        }
    }
    for (auto& note : session.notes)
        note.row.clear();
    return session;
}

QString sessionBeside(const QString& trace) {
    return trace.isEmpty() ? QString() : trace + QLatin1Char('.') + QLatin1String(kSessionSuffix);
}

QByteArray sessionToJson(const Session& session, const QString& path) {
    QJsonArray tabs, snapshots, presets;
    for (const auto& tab : session.tabs)
        tabs << tabToJson(tab);
    for (const auto time : session.snapshots)
        snapshots << static_cast<qint64>(time.ns);
    for (const auto& preset : session.presets)
        presets << presetToJson(preset);
    QJsonObject json{{"format", QLatin1String(session_format::kFormat)},
                     {"version", session_format::kVersion},
                     {"trace", filesToJson(session, path)},
                     {"tabs", tabs},
                     {"currentTab", session.currentTab},
                     {"marks", marksToJson(session.marks)},
                     {"snapshots", snapshots},
                     {"notes", notesToJson(session.notes)},
                     {"presets", presets},
                     {"symbolPath", session.symbolPath},
                     {"processExitFreesHeap", session.processExitFreesHeap}};
    if (session.stackTags) json["stackTags"] = definitionsToJson(*session.stackTags, path);
    if (session.suppressions) json["suppressions"] = definitionsToJson(*session.suppressions, path);
    return QJsonDocument(json).toJson();
}

} // namespace highwater::ui
