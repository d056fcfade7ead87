#pragma once

#include "core/analysis/difference/suggested_renames.h"

#include <QSet>
#include <QWidget>

#include <vector>

class QPushButton;
class QToolButton;

namespace highwater::ui {

class ElidedLabel;

/// Says what may have been renamed between two traces, the likeliest first, and offers to treat it so. Hidden where
/// there is nothing to offer, or all of it was turned down. GUI thread only.
class RenameOffer : public QWidget {
    Q_OBJECT
  public:
    explicit RenameOffer(QWidget* parent = nullptr);

    void setSuggestions(std::vector<analysis::SuggestedRename> suggestions);
    /// What was turned down is offered again.
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
