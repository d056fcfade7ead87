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

/// Edits the labels of a table: a line each, a label and the query of its rows, in the order in which they are tried.
/// What is wrong is marked and said while it is typed; nothing wrong is taken. Stands beside the window, never modal.
/// GUI thread only.
class AnnotationEditor : public QDialog {
    Q_OBJECT
  public:
    explicit AnnotationEditor(analysis::Table table, QWidget* parent = nullptr);

    /// Replaces all lines; without any there is one to begin with.
    void setRules(const std::vector<AnnotationRule>& rules);
    /// Puts a line there, and the cursor into the label that it lacks.
    void addRule(const AnnotationRule& rule, std::size_t place);
    [[nodiscard]] std::vector<AnnotationRule> rules() const;
    /// Says a sentence, until something is typed.
    void say(const QString& sentence);

  signals:
    /// These labels are to be used from now on.
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
    /// Applies and closes, or shows what is wrong.
    void take();

    analysis::Table table_;
    QWidget* list_;
    QVBoxLayout* lines_;
    QLabel* problems_;
    std::vector<Line> shown_;
    bool wasTaken_ = false; ///< what is missing is said, too, once the reader is done with it
};

} // namespace highwater::ui
