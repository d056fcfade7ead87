#pragma once

#include "core/analysis/difference/renames.h"
#include "core/analysis/difference/suggested_renames.h"

#include <QDialog>

#include <optional>

#include <vector>

class QPushButton;
class QTableWidget;
class QVBoxLayout;

namespace highwater::ui {

class PlainLabel;

/// What was called otherwise before: a line for each, files of them to be read and written (what --renames of the
/// command line reads), and what may have been renamed. Not modal to the program; accepted() tells that renames() are
/// wanted. GUI thread only.
class RenamesDialog : public QDialog {
    Q_OBJECT
  public:
    RenamesDialog(const analysis::Renames& renames, std::vector<analysis::SuggestedRename> suggestions,
                  QWidget* parent = nullptr);

    /// Of an accepted dialog.
    [[nodiscard]] const analysis::Renames& renames() const { return renames_; }

    void accept() override;
    /// A sentence is shown where it cannot be done.
    void readFrom(const QString& file);
    void writeTo(const QString& file);

  protected:
    /// Enter ends what is typed in a line, and not the dialog.
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void build();
    [[nodiscard]] QVBoxLayout* makeButtons();
    void fill(const analysis::Renames& renames);
    void addLine(const QString& before, const QString& after);
    void removeLines();
    void addSuggestions();
    void askForFile(bool isToRead);
    void complain(const QString& sentence);
    /// Lines with nothing in them mean nothing. Nothing, and a sentence is shown: a line is wrong.
    [[nodiscard]] std::optional<analysis::Renames> typed();

    analysis::Renames renames_;
    std::vector<analysis::SuggestedRename> suggestions_;
    QTableWidget* table_;
    PlainLabel* problem_;
    QPushButton* suggest_;
};

} // namespace highwater::ui
