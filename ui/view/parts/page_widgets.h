#pragma once

#include "ui/view/parts/elided_label.h"

#include <cstddef>
#include <string>
#include <vector>

class QSplitter;
class QVBoxLayout;

namespace highwater::ui {

class StackList;

/// The line of a page that sums up its answer, and says so while another one is computed. The page owns it. GUI thread
/// only.
class BusySummary : public ElidedLabel {
    Q_OBJECT
  public:
    struct Words {
        QString alone;      ///< while there is no answer; empty: the text stays
        QString withAnswer; ///< "%1 - counting…": the answer is put into it
    };

    BusySummary(const char* objectName, Words words);
    void setBusy(bool busy);
    /// Empty: there is no answer.
    void setAnswer(const QString& text);
    /// Instead of an answer: why there is none.
    void setReason(const QString& why);

  private:
    Words words_;
    QString answer_;
    bool isBusy_ = false;
};

/// What is known of the selected row of a table: a sentence that can be selected, above a stack. The page owns it. GUI
/// thread only.
class StackDetails : public QWidget {
    Q_OBJECT
  public:
    StackDetails(const char* sentenceName, const char* stackName);
    /// `owner`: its place in `frames`, as in a StackList.
    void setDetails(const QString& sentence, const std::vector<std::string>& frames = {}, std::size_t owner = 0);

  private:
    PlainLabel* sentence_;
    StackList* stack_;
};

/// The column of a page, with the margins that all pages have. The page owns it.
[[nodiscard]] QVBoxLayout* makePageLayout(QWidget& page);

/// Two widgets, which it owns, side by side; the shares say who gets more of a wider window.
[[nodiscard]] QSplitter* makeSideBySide(QWidget* left, QWidget* right, int leftShare, int rightShare);

} // namespace highwater::ui
