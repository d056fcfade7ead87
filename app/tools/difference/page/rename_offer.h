#pragma once

#include "core/analysis/difference/suggested_renames.h"

#include <QSet>
#include <QWidget>

#include <vector>

class QPushButton;
class QToolButton;

namespace highwater::ui {

class ElidedLabel;

/// Suggests renames between two traces, most likely first. Hidden if there are no suggestions left. GUI thread only.
class RenameOffer : public QWidget {
    Q_OBJECT
  public:
    explicit RenameOffer(QWidget* parent = nullptr);

    void setSuggestions(std::vector<analysis::SuggestedRename> suggestions);
    /// Offers rejected suggestions again.
    void forget() { turnedDown_.clear(); }

  signals:
    void wanted(const QString& before, const QString& after);

  private:
    void showFirst();
    [[nodiscard]] const analysis::SuggestedRename* first() const;

    ElidedLabel* words_;
    QPushButton* accept_;
    QToolButton* turnDown_;
    std::vector<analysis::SuggestedRename> suggestions_;
    QSet<QString> turnedDown_;
};

} // namespace highwater::ui
