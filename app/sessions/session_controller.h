#pragma once

#include "ui/session/session.h"
#include "ui/view/parts/message_strip.h"

#include <QAction>
#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QObject>
#include <QStringList>

#include <functional>
#include <optional>

class QWidget;

namespace highwater::ui {
class AnalysisTabs;
struct SymbolChoices;
} // namespace highwater::ui

namespace highwater::app {

class AnalysisSettings;
class DefinitionFiles;
class MarkController;
class SymbolController;

/// Saves, opens and offers sessions, which contain the state of the window for a trace. Shows nothing to users without
/// sessions. GUI thread only.
class SessionController : public QObject {
    Q_OBJECT
  public:
    /// The parts of a session. All must outlive this object.
    struct Parts {
        ui::AnalysisTabs& tabs;
        MarkController& marks;
        SymbolController& symbols;
        QAction& exitFrees;                 ///< whether process exit frees heaps
        std::function<bool()> ownExitFrees; ///< the user's own setting, regardless of a session
        DefinitionFiles& stackTags;
        DefinitionFiles& suppressions;
    };
    SessionController(const Parts& parts, QWidget& window);

    /// Save and Save As actions for the menu.
    [[nodiscard]] QList<QAction*> actions() const { return {save_, saveAs_}; }
    /// A strip with offers and questions about sessions, to place in the window, which owns it.
    [[nodiscard]] ui::MessageStrip* strip() const { return strip_; }
    [[nodiscard]] static bool isSession(const QString& path);
    /// Requests the session's trace, and applies the session when it is loaded.
    void open(const QString& path);
    void save();
    void saveTo(const QString& path);

    /// Files of the trace on screen; empty if it is not saved or still loading.
    [[nodiscard]] const QStringList& files() const { return files_; }
    /// The first of these files that is missing or changed by size or time; empty: none.
    [[nodiscard]] QString changedFile() const;
    /// The trace is replaced or closed.
    void forget();
    /// The trace is loaded from these files and on screen. Applies a waiting session, or offers one next to the trace.
    void noteLoaded(const QStringList& files);
    /// The trace could not be loaded; drops a waiting session.
    void noteFailed();
    /// The trace on screen was saved to these files.
    void noteSaved(const QStringList& files);
    /// Whether the window differs from the current session file.
    [[nodiscard]] bool isChanged() const;
    /// Calls `then` at once, or after changes since the last save were saved or discarded.
    void leave(std::function<void()> then);

  signals:
    void traceWanted(const QStringList& files);
    void messageWanted(const highwater::ui::Message& message);
    /// A session or its trace cannot be opened; a message has been shown.
    void openFailed(const QString& sentence);

  private:
    void refuse(const QString& sentence);
    void askWhereToSave();
    void askForTrace();
    void locate(const QStringList& chosen);
    void offer(const QString& path);
    void load(const QString& path, bool opensTrace);
    void show(const QString& path, const ui::Session& session, QStringList missing);
    void compareFiles(const ui::Session& session, QStringList& missing) const;
    void takeMarks(const ui::Session& session, QStringList& missing);
    void takeDefinitions(const ui::Session& session, QStringList& missing);
    void offerSymbolPath(const QString& text, QStringList& missing);
    void report(const QString& path, const QStringList& missing);
    /// Settings of the session that override the user's own; empty: none.
    [[nodiscard]] QString overriddenSettingsText() const;
    [[nodiscard]] ui::Session captured() const;
    [[nodiscard]] QByteArray essence() const;

    Parts parts_;
    QWidget& window_;
    QAction* save_;
    QAction* saveAs_;
    ui::MessageStrip* strip_;
    QStringList files_;                                ///< files of the trace; empty: it is not saved
    std::vector<std::pair<qint64, QDateTime>> stamps_; ///< sizes and times of these files when read or written
    std::vector<ui::SessionNote> unplaced_;            ///< notes on rows missing from the trace; kept in the session
    std::vector<Mark> marksOutside_;                   ///< outside the trace; also kept in the session
    std::vector<TraceTime> snapshotsOutside_;
    QString path_;            ///< file of the current session; empty: none
    QByteArray saved_;        ///< its content without views
    QStringList filesBefore_; ///< files of the previous trace
    std::vector<std::pair<qint64, QDateTime>> stampsBefore_;
    struct Waiting {
        QStringList files; ///< files of its trace
        QString path;
        ui::Session session;
        QStringList missing;
        QStringList gone; ///< the files that do not exist any more
    };
    std::optional<Waiting> waiting_; ///< for its trace
    std::function<void()> afterSave_;
};

} // namespace highwater::app
