#pragma once

#include "app/recording/lost_recordings.h"
#include "core/files/output_file.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>

class QMainWindow;

namespace highwater::ui {
class StartPage;
} // namespace highwater::ui

namespace highwater::app {

/// Offers the recordings of a Highwater that ended before they were saved, on the start page. One that is shown is
/// asked about before it leaves the screen, and stays where it is until it is saved or discarded. GUI thread only.
class RecoveryController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it.
    RecoveryController(QString folder, ui::StartPage& page, QMainWindow& window);

    /// Looks again for what there is.
    void refresh();
    /// It is what is shown from now on; no other Highwater offers it meanwhile. False: one has it already.
    [[nodiscard]] bool begin(const LostRecording& recording);
    /// It is read: now it can be moved.
    void noteRead();
    /// It cannot be shown; it stays where it is.
    void giveUp();
    /// What is shown, as long as it is not saved; null: nothing.
    [[nodiscard]] const LostRecording* shown() const { return shown_ ? &*shown_ : nullptr; }
    [[nodiscard]] bool canSave() const { return shown_ && isRead_ && !isMoving_; }
    /// `then` once it is saved, or is to be discarded, or left for later; never after Cancel. It is shown until
    /// finishLeaving().
    void makeWay(std::function<void()> then);
    /// Does what was answered. False: it cannot be deleted, and is shown still.
    [[nodiscard]] bool finishLeaving();
    void askForName();
    void askToDiscard();

  signals:
    void showWanted(const highwater::app::LostRecording& recording);
    /// shown() or canSave() may be another.
    void changed();
    void saved(const QString& path);
    /// What was shown.
    void discarded();
    void failed(const QString& sentence);

  private:
    void move(const QString& path);
    void noteMoved(const QString& path, const QString& problem);
    void askToDiscard(const LostRecording& recording);
    [[nodiscard]] bool discard(const LostRecording& recording);
    void forget();

    QString folder_;
    ui::StartPage& page_;
    QMainWindow& window_;
    QList<LostRecording> lost_;
    std::optional<LostRecording> shown_;
    std::shared_ptr<const OutputFile> held_; ///< the file of what is shown
    bool isRead_ = false, isMoving_ = false, isUnwanted_ = false;
    std::function<void()> afterSave_;
};

} // namespace highwater::app
