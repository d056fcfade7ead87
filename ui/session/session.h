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

/// What the window shows of one trace. Plain values; rows and filters are named in words (stored_rows.h).

struct SessionFilter {
    QString text;                 ///< of a query: the query; else the words of its chip
    bool isQuery = false;         ///< else it is about `rows`
    std::vector<StoredPath> rows; ///< any of them
    bool removes = false;         ///< the rows, instead of keeping them
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

/// A note of the reader's on a row.
struct SessionNote {
    analysis::Table table = analysis::Table::VirtualAlloc;
    StoredPath row;
    QString text;
    friend bool operator==(const SessionNote&, const SessionNote&) = default;
};

struct Session {
    std::vector<SessionFile> files; ///< of the trace
    std::vector<SessionTab> tabs;
    int currentTab = 0;
    MarkList::Kept marks;
    std::vector<TraceTime> snapshots; ///< instants that were made snapshots
    std::vector<SessionNote> notes;
    std::vector<Preset> presets; ///< the user's own ones that graphs are called after
    QString symbolPath;          ///< as SymbolPath::toText()
    /// Files that were chosen, absolute, in their order; what is no path stands for what the program brings along.
    /// Nothing: an older session, which does not say.
    std::optional<QStringList> stackTags, suppressions;
    bool processExitFreesHeap = false;
};

inline constexpr const char* kSessionSuffix = "highwater";
inline constexpr qint64 kLargestSession = 16 << 20; ///< bytes
/// What of it is lost with it: without where the reader looked (intervals, instants, opened rows and lines, widths, the
/// current tab), and without what rows are called, which changes when functions get names.
[[nodiscard]] Session withoutViews(Session session);
/// "app.etl.highwater" of "app.etl".
[[nodiscard]] QString sessionBeside(const QString& trace);

/// JSON, {"format": "highwater-session", "version": 1, ...}. The same session gives the same bytes. Paths are also kept
/// as seen from the folder of the session file. Any thread.
[[nodiscard]] QByteArray sessionToJson(const Session& session, const QString& path);

struct ReadSession {
    std::optional<Session> session;
    QString refusal;     ///< a sentence without the name of the file; empty: there is a session
    QStringList leftOut; ///< what is not known here, a line each
};
/// `path`: of the file. What is not there where it was is looked for as seen from its folder. Any thread.
[[nodiscard]] ReadSession sessionFromJson(const QByteArray& bytes, const QString& path);

} // namespace highwater::ui
