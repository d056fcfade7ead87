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

/// Sessions: what the window shows of a trace, in a file that is saved, opened and offered. Who never saves one hears
/// nothing of them. GUI thread only.
class SessionController : public QObject {
    Q_OBJECT
  public:
    /// What a session is made of. All must outlive it.
    struct Parts {
        ui::AnalysisTabs& tabs;
        MarkController& marks;
        SymbolController& symbols;
        QAction& exitFrees;                 ///< whether process exit frees heaps
        std::function<bool()> ownExitFrees; ///< the same as the user has it, whatever a session says
        DefinitionFiles& stackTags;
        DefinitionFiles& suppressions;
    };
    SessionController(const Parts& parts, QWidget& window);

    /// Save, save as; for the menu.
    [[nodiscard]] QList<QAction*> actions() const { return {save_, saveAs_}; }
    /// Offers and questions of sessions, for the window to place; it owns it.
    [[nodiscard]] ui::MessageStrip* strip() const { return strip_; }
    [[nodiscard]] static bool isSession(const QString& path);
    /// Asks for its trace, and shows what the session says of it when it is loaded.
    void open(const QString& path);
    void save();
    void saveTo(const QString& path);

    /// Of the trace that is shown; none: it is in no file yet, or still being read.
    [[nodiscard]] const QStringList& files() const { return files_; }
    /// The first of them that holds something else by now, or is gone, as far as size and time tell; empty: none.
    [[nodiscard]] QString changedFile() const;
    /// Another trace begins, or none.
    void forget();
    /// It is loaded, and on screen, from these files; a session that waits for it is shown, one beside it offered.
    void noteLoaded(const QStringList& files);
    /// It could not be loaded: no session waits for it.
    void noteFailed();
    /// What is on screen is in these files from now on.
    void noteSaved(const QStringList& files);
    /// Whether the file of the session that is in use says something else than the window.
    [[nodiscard]] bool isChanged() const;
    /// Goes on at once, or when what has changed since the session was saved is saved or let go.
    void leave(std::function<void()> then);

  signals:
    void traceWanted(const QStringList& files);
    void messageWanted(const highwater::ui::Message& message);
    /// A session, or its trace, cannot be opened; it has been told.
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
    /// What of the session holds instead of the user's own; empty: nothing.
    [[nodiscard]] QString tellWhatDiffers() const;
    [[nodiscard]] ui::Session captured() const;
    [[nodiscard]] QByteArray essence() const;

    Parts parts_;
    QWidget& window_;
    QAction* save_;
    QAction* saveAs_;
    ui::MessageStrip* strip_;
    QStringList files_; ///< of the trace; empty: it is in none
    std::vector<std::pair<qint64, QDateTime>>
        stamps_;                            ///< sizes and times of these files when they were read or written
    std::vector<ui::SessionNote> unplaced_; ///< notes on rows that the trace does not have: they stay in the session
    std::vector<Mark> marksOutside_;        ///< of the trace; these stay in the session, too
    std::vector<TraceTime> snapshotsOutside_;
    QString path_;            ///< of the session that is in use; empty: none
    QByteArray saved_;        ///< what it says, without views
    QStringList filesBefore_; ///< of the trace that was open when the next one began
    std::vector<std::pair<qint64, QDateTime>> stampsBefore_;
    struct Waiting {
        QStringList files; ///< of its trace
        QString path;
        ui::Session session;
        QStringList missing;
        QStringList gone; ///< of the files
    };
    std::optional<Waiting> waiting_; ///< for its trace
    std::function<void()> afterSave_;
};

} // namespace highwater::app
