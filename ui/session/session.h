#pragma once

#include "core/base/units.h"
#include "ui/session/stored_rows.h"
#include "ui/state/graph_state.h"
#include "ui/state/mark_list.h"
#include "ui/state/presets.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace highwater::ui {

/// The window's view of a trace. Plain values; rows and filters are stored by name (stored_rows.h).

struct SessionFilter {
    QString text;                 ///< for a query: the query; otherwise the text of its chip
    bool isQuery = false;         ///< false: the filter uses `rows`
    std::vector<StoredPath> rows; ///< matches any of them
    bool removes = false;         ///< removes the rows instead of keeping them
    bool hasName = false;
    FilterScope scope = FilterScope::ThisGraph;
};

struct SessionGraph {
    Preset preset; ///< table, columns, chart, levels; its name may be empty
    GraphParts parts = GraphParts::GraphAndTable;
    std::vector<SessionFilter> filters;
    std::vector<StoredPath> opened; ///< rows of the table
    std::vector<StoredPath> openedLines, closedLines, hiddenLines;
};

struct SessionTab {
    QString name;
    bool isLinked = false;
    std::optional<TimeRange> visible; ///< nothing: the whole trace
    std::optional<TimeRange> selection, highlight;
    std::optional<TraceTime> instant;
    std::vector<SessionGraph> graphs;
};

struct SessionFile {
    QString path; ///< absolute
    qint64 bytes = 0;
};

/// The user's note on a row.
struct SessionNote {
    analysis::Table table = analysis::Table::VirtualAlloc;
    StoredPath row;
    QString text;
    friend bool operator==(const SessionNote&, const SessionNote&) = default;
};

struct Session {
    std::vector<SessionFile> files; ///< the trace files
    std::vector<SessionTab> tabs;
    int currentTab = 0;
    MarkList::Kept marks;
    std::vector<TraceTime> snapshots; ///< instants of added snapshots
    std::vector<SessionNote> notes;
    std::vector<Preset> presets; ///< the user's presets that graphs refer to
    QString symbolPath;          ///< as SymbolPath::toText()
    /// Chosen files, absolute and in order; entries that are not paths name built-in ones. Nothing: the session is
    /// older and does not contain them.
    std::optional<QStringList> stackTags, suppressions;
    bool processExitFreesHeap = false;
};

inline constexpr const char* kSessionSuffix = "highwater";
inline constexpr qint64 kLargestSession = 16 << 20; ///< bytes
/// The part whose loss matters: without the view position (intervals, instants, opened rows and lines, widths, the
/// current tab), and without row texts, which change when functions get names.
[[nodiscard]] Session withoutViews(Session session);
/// "app.etl.highwater" of "app.etl".
[[nodiscard]] QString sessionBeside(const QString& trace);

/// JSON, {"format": "highwater-session", "version": 1, ...}. The same session always gives the same bytes. Paths are
/// also stored relative to the folder of the session file. Any thread.
[[nodiscard]] QByteArray sessionToJson(const Session& session, const QString& path);

struct ReadSession {
    std::optional<Session> session;
    QString refusal;     ///< a clause without the file name; empty: there is a session
    QStringList leftOut; ///< unsupported parts, one per line
};
/// `path` is the session file's. Files that have moved are looked up relative to its folder. Any thread.
[[nodiscard]] ReadSession sessionFromJson(const QByteArray& bytes, const QString& path);

} // namespace highwater::ui
