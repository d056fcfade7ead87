#pragma once

#include "ui/view/parts/message_strip.h"

#include <QObject>
#include <QPointer>
#include <QStringList>

class QAction;
class QMainWindow;

namespace highwater::ui {
class HeapFlagsPage;
} // namespace highwater::ui

namespace highwater::app {

/// Manages system state of recordings: removes leftovers of interrupted recordings, lists programs flagged for heap
/// tracing, and restarts the program as administrator. Hidden on systems without these. GUI thread only; system calls
/// run on workers.
class HeapFlagController : public QObject {
    Q_OBJECT
  public:
    explicit HeapFlagController(QMainWindow& window);

    /// For the Record menu; empty on systems without flags.
    [[nodiscard]] QList<QAction*> actions() const { return actions_; }
    /// Call once when the program starts.
    void cleanUp();
    void restartAsAdministrator();

  signals:
    void messageWanted(const highwater::ui::Message& message);

  private:
    void build();
    void show();
    void refresh();
    void clear(const QStringList& programs);

    QMainWindow& window_;
    QList<QAction*> actions_;
    QPointer<ui::HeapFlagsPage> page_;
};

} // namespace highwater::app
