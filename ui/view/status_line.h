#pragma once

#include "core/base/units.h"

#include <QElapsedTimer>
#include <QStatusBar>

#include <optional>

class QLabel;
class QProgressBar;
class QToolButton;

namespace highwater::ui {

/// The bottom line: the loading with its Cancel, the program's own memory on the right.
class StatusLine : public QStatusBar {
    Q_OBJECT
  public:
    explicit StatusLine(QWidget* parent = nullptr);

    /// What is loading and how far: bytes read and in all (0: not known yet).
    void showProgress(const QString& name, std::uint64_t done, std::uint64_t total);
    void hideProgress();
    void setOwnMemory(std::optional<ByteCount> bytes);

  signals:
    void cancelWanted();

  private:
    void build();

    QLabel* loading_;
    QProgressBar* bar_;
    QToolButton* cancel_;
    QLabel* memory_;
    QElapsedTimer since_;
};

} // namespace highwater::ui
