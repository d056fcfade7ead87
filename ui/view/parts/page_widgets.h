#pragma once

#include "ui/view/parts/elided_label.h"

#include <cstddef>
#include <string>
#include <vector>

class QHBoxLayout;
class QSplitter;
class QVBoxLayout;

namespace highwater::ui {

class StackList;

/// Summary line of a page's answer, which also shows that a new one is being computed. The page owns it. GUI thread
/// only.
class BusySummary : public ElidedLabel {
    Q_OBJECT
  public:
    struct Words {
        QString alone;      ///< without an answer; empty: the text does not change
        QString withAnswer; ///< "%1 - counting…": with the answer
    };

    BusySummary(const char* objectName, Words words);
    /// A text that is wider than the page takes several lines. Otherwise it is elided.
    void wrap();
    void setBusy(bool busy);
    /// Empty: no answer.
    void setAnswer(const QString& text);
    /// Shows a reason instead of an answer.
    void setReason(const QString& why);

  private:
    Words words_;
    QString answer_;
    bool isBusy_ = false;
};

/// Details of the selected table row: a selectable sentence above a stack. The page owns it. GUI thread only.
class StackDetails : public QWidget {
    Q_OBJECT
  public:
    StackDetails(const char* sentenceName, const char* stackName);
    /// `owner`: index in `frames`, as in StackList.
    void setDetails(const QString& sentence, const std::vector<std::string>& frames = {}, std::size_t owner = 0);

  private:
    PlainLabel* sentence_;
    StackList* stack_;
};

/// The summary of a page with a button at the end of its line. The page owns both.
[[nodiscard]] QHBoxLayout* makeSummaryLine(BusySummary* summary, QWidget* button);

/// Layout of a page with the common margins. The page owns it.
[[nodiscard]] QVBoxLayout* makePageLayout(QWidget& page);

/// Places two widgets, of which it takes ownership, side by side; the shares distribute extra width.
[[nodiscard]] QSplitter* makeSideBySide(QWidget* left, QWidget* right, int leftShare, int rightShare);

} // namespace highwater::ui
