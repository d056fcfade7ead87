#pragma once

#include "ui/state/table/annotation_rules.h"

#include <QDialog>

#include <cstddef>
#include <vector>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace highwater::ui {

class QueryField;

/// Editor of a table's labels: one line each, with a label and the query for its rows, in order of evaluation. Errors
/// are marked and explained while typing; invalid rules are not applied. Non-modal. GUI thread only.
class AnnotationEditor : public QDialog {
    Q_OBJECT
  public:
    explicit AnnotationEditor(analysis::Table table, QWidget* parent = nullptr);

    /// Replaces all lines; an empty list shows one blank line.
    void setRules(const std::vector<AnnotationRule>& rules);
    /// Inserts a line and moves the cursor to its empty label.
    void addRule(const AnnotationRule& rule, std::size_t place);
    [[nodiscard]] std::vector<AnnotationRule> rules() const;
    /// Shows a sentence until something is typed.
    void say(const QString& sentence);

  signals:
    /// Use these labels from now on.
    void applied(const highwater::analysis::Annotations& annotations);

  private:
    enum class Part { Label, Query };
    struct Line {
        QLineEdit* label = nullptr;
        QueryField* query = nullptr;
    };

    void build();
    void addButtons(QVBoxLayout& layout);
    void addLine(const AnnotationRule& rule);
    void addLineButtons(QWidget& line, std::size_t place);
    void removeLine(std::size_t place);
    void moveLine(std::size_t place, int by);
    void focus(std::size_t place, Part part);
    void check();
    /// Applies and closes, or shows the error.
    void take();

    analysis::Table table_;
    QWidget* list_;
    QVBoxLayout* lines_;
    QLabel* problems_;
    std::vector<Line> shown_;
    bool isConfirmed_ = false; ///< also report missing parts after the user has confirmed
};

} // namespace highwater::ui
