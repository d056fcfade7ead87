#pragma once

#include "ui/view/console/log_lines_model.h"
#include "ui/view/parts/page_table.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace highwater::ui {

class ElidedLabel;
class LogFilter;

/// The Diagnostic Console: the log as a table with a filter by level and text, and the location of the log file.
/// Follows the newest line unless it was scrolled up. Ctrl+C copies the selected lines. GUI thread only.
class DiagnosticConsole : public QWidget {
    Q_OBJECT
  public:
    explicit DiagnosticConsole(QWidget* parent = nullptr);

    [[nodiscard]] LogLinesModel& model() { return model_; }
    [[nodiscard]] QTreeView& table() { return *table_; }
    /// The newest lines regardless of the filter, as LogLinesModel::lineText.
    [[nodiscard]] QStringList newestLines(int most);
    /// Location of the log, or the reason why it is not written.
    [[nodiscard]] static QString placeText();

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void build();
    void buildTable();
    void buildFilter();
    void followPlace();
    void noteWhetherAtEnd();
    void followNewest();
    void copy();

    LogLinesModel model_;
    LogFilter* filter_;
    PageTable* table_;
    QComboBox* level_;
    QLineEdit* text_;
    ElidedLabel* place_;
    bool isAtEnd_ = true; ///< state before the current rows are added
};

} // namespace highwater::ui
