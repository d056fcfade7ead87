#pragma once

#include "core/analysis/frames/frame_labels.h"

#include <QDialog>

#include <memory>

class QLabel;
class QPlainTextEdit;

namespace highwater::ui {

/// Editor of the allocator frames, which bottom-up stacks omit: plain text, one pattern per line. Invalid lines are
/// marked and listed while typing. Non-modal. GUI thread only.
class AllocatorFramesEditor : public QDialog {
    Q_OBJECT
  public:
    explicit AllocatorFramesEditor(QWidget* parent = nullptr);
    void setText(const QString& text);
    [[nodiscard]] QString text() const;
    /// Lines that are not patterns.
    [[nodiscard]] QStringList rejectedLines() const;

  signals:
    /// Use the new list from now on.
    void applied(const QString& text);

  private:
    void build();
    void check();

    QPlainTextEdit* edit_;
    QLabel* problems_;
};

} // namespace highwater::ui
