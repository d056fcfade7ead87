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

/// Contents of a trace part, chosen before its file: shows the interval and a checkable list of the trace's processes.
/// GUI thread only.
class CropDialog : public QDialog {
    Q_OBJECT
  public:
    struct Process {
        std::uint32_t pid = 0;
        QString name; ///< as in tables
    };

    /// `interval`: a sentence. All processes are checked.
    CropDialog(const QString& interval, const std::vector<Process>& processes, QWidget* parent = nullptr);

    /// Disables the list until it is known which processes match the filter.
    void setWaiting();
    /// Checks only these processes and enables the list; `why`: a sentence.
    void tick(const std::vector<std::uint32_t>& pids, const QString& why);
    /// Checked processes; nothing: all.
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> chosen() const;

  signals:
    /// The user has confirmed the selection.
    void cropWanted();

  private:
    void build(const QString& interval);
    void tickAll(bool ticked);
    void follow();
    void enableSelection();

    QListWidget* list_;
    QLabel* why_;
    QPushButton* all_;
    QPushButton* none_;
    QPushButton* write_ = nullptr;
};

} // namespace highwater::ui
