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

/// What recordings leave in the system, and who may look after it: takes back what one that broke off has left, lists
/// the programs that are flagged for heap tracing, and restarts the program as administrator. Shows nothing where the
/// system has neither. GUI thread only; the system is asked on workers.
class HeapFlagController : public QObject {
    Q_OBJECT
  public:
    explicit HeapFlagController(QMainWindow& window);

    /// For the Record menu; none on systems without flags.
    [[nodiscard]] QList<QAction*> actions() const { return actions_; }
    /// Once, as the program starts.
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
