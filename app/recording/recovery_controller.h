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

/// Offers recordings that were not saved when Highwater exited on the start page. Before a recording that is shown
/// closes, the user is asked; its file stays in place until it is saved or discarded. GUI thread only.
class RecoveryController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive this object.
    RecoveryController(QString folder, ui::StartPage& page, QMainWindow& window);

    /// Searches again for recordings.
    void refresh();
    /// Claims the recording to show, so that no other Highwater offers it. Returns false if another one has claimed it.
    [[nodiscard]] bool begin(const LostRecording& recording);
    /// The recording is loaded and can be moved.
    void noteRead();
    /// The recording cannot be shown and stays in place.
    void giveUp();
    /// The recording on screen while it is not saved, or null.
    [[nodiscard]] const LostRecording* shown() const { return shown_ ? &*shown_ : nullptr; }
    [[nodiscard]] bool canSave() const { return shown_ && isRead_ && !isMoving_; }
    /// Calls `then` after the recording is saved, or is to be discarded or kept for later, but not after Cancel. The
    /// recording is shown until finishLeaving().
    void makeWay(std::function<void()> then);
    /// Applies the user's answer. Returns false if the file cannot be deleted; the recording is still shown then.
    [[nodiscard]] bool finishLeaving();
    void askForName();
    void askToDiscard();

  signals:
    void showWanted(const highwater::app::LostRecording& recording);
    /// shown() or canSave() may have changed.
    void changed();
    void saved(const QString& path);
    /// The recording that was shown.
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
    std::shared_ptr<const OutputFile> held_; ///< the file of the recording on screen
    bool isRead_ = false, isMoving_ = false, isUnwanted_ = false;
    std::function<void()> afterSave_;
};

} // namespace highwater::app
