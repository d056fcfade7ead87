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

/// Edits renames, one per line. Loads and saves files for --renames of the command line, and adds suggestions.
/// Modeless; accepted() means that renames() should be applied. GUI thread only.
class RenamesDialog : public QDialog {
    Q_OBJECT
  public:
    RenamesDialog(const analysis::Renames& renames, std::vector<analysis::SuggestedRename> suggestions,
                  QWidget* parent = nullptr);

    /// The renames of an accepted dialog.
    [[nodiscard]] const analysis::Renames& renames() const { return renames_; }

    void accept() override;
    /// Shows an error message on failure.
    void readFrom(const QString& file);
    void writeTo(const QString& file);

  protected:
    /// Enter finishes editing a line instead of closing the dialog.
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
    /// Ignores empty lines. Returns nothing and shows an error message if a line is invalid.
    [[nodiscard]] std::optional<analysis::Renames> typed();

    analysis::Renames renames_;
    std::vector<analysis::SuggestedRename> suggestions_;
    QTableWidget* table_;
    PlainLabel* problem_;
    QPushButton* suggest_;
};

} // namespace highwater::ui
