#pragma once

#include "core/analysis/frames/frame_labels.h"

#include <QDialog>

#include <memory>

class QLabel;
class QPlainTextEdit;

namespace highwater::ui {

/// Edits the list of allocator frames, those that bottom-up stacks leave out: plain text, a pattern a line. Lines that
/// mean nothing are marked and named while typing. Stands beside the window, never modal. GUI thread only.
class AllocatorFramesEditor : public QDialog {
    Q_OBJECT
  public:
    explicit AllocatorFramesEditor(QWidget* parent = nullptr);
    void setText(const QString& text);
    [[nodiscard]] QString text() const;
    /// Lines that are no pattern.
    [[nodiscard]] QStringList rejectedLines() const;

  signals:
    /// The new list is to be used from now on.
    void applied(const QString& text);

  private:
    void build();
    void check();

    QPlainTextEdit* edit_;
    QLabel* problems_;
};

} // namespace highwater::ui
