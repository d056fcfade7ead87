#pragma once

#include "app/recording/lost_recordings.h"

#include <QObject>

class QMainWindow;

namespace highwater::ui {
class StartPage;
} // namespace highwater::ui

namespace highwater::app {

/// Offers the recordings of a Highwater that ended before they were saved, on the start page. GUI thread only.
class RecoveryController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it.
    RecoveryController(QString folder, ui::StartPage& page, QMainWindow& window);

    /// Looks again for what there is.
    void refresh();
    /// Moves it there, on a worker, and has it opened.
    void recover(const LostRecording& recording, const QString& path);

  signals:
    void openWanted(const QStringList& paths);
    void failed(const QString& sentence);

  private:
    void askForName(int number);
    void askToDiscard(int number);
    void discard(const LostRecording& recording);

    QString folder_;
    ui::StartPage& page_;
    QMainWindow& window_;
    QList<LostRecording> lost_;
};

} // namespace highwater::app
