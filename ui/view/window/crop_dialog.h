#pragma once

#include <QDialog>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

class QDialogButtonBox;
class QLabel;
class QListWidget;
class QPushButton;

namespace highwater::ui {

/// What a part of a trace is to keep, before it is asked where it is written: says which interval, and has the
/// processes of the trace ticked. GUI thread only.
class CropDialog : public QDialog {
    Q_OBJECT
  public:
    struct Process {
        std::uint32_t pid = 0;
        QString name; ///< as tables show it
    };

    /// `interval`: a sentence. All processes are ticked.
    CropDialog(const QString& interval, const std::vector<Process>& processes, QWidget* parent = nullptr);

    /// Which ones pass the filter of what is shown is not known yet: the list waits.
    void setWaiting();
    /// Only these are ticked from now on, and the list can be used; `why`: a sentence.
    void tick(const std::vector<std::uint32_t>& pids, const QString& why);
    /// Ticked ones; nothing: all of them.
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> chosen() const;

  signals:
    /// The user wants what is ticked.
    void cropWanted();

  private:
    void build(const QString& interval);
    void tickAll(bool ticked);
    void follow();
    void followReader();

    QListWidget* list_;
    QLabel* why_;
    QPushButton* all_;
    QPushButton* none_;
    QPushButton* write_ = nullptr;
};

} // namespace highwater::ui
