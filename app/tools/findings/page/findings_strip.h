#pragma once

#include "app/tools/findings/page/finding_card.h"
#include "core/analysis/explain/findings.h"

#include <QWidget>

#include <array>
#include <memory>
#include <vector>

class QToolButton;

namespace highwater::ui {

/// One row of cards: the biggest surge, at most two leaks, and the pages that few blocks hold, with a button that
/// closes the row. Lines are shortened to fit, and cards for which there is no room at all are left out from the end.
/// Without findings there are no cards; the owner hides the strip. GUI thread only.
class FindingsStrip : public QWidget {
    Q_OBJECT
  public:
    explicit FindingsStrip(QWidget* parent = nullptr);

    /// Null: none. `areNamesComing`: functions without a name may still get one.
    void setFindings(std::shared_ptr<const analysis::Findings> findings, bool areNamesComing = false);
    /// Whether a card waits for a name.
    [[nodiscard]] bool isNaming() const { return isNaming_; }
    [[nodiscard]] const std::shared_ptr<const analysis::Findings>& findings() const { return findings_; }
    [[nodiscard]] bool isEmpty() const { return !findings_ || findings_->isEmpty(); }
    /// Those with a finding, from left to right.
    [[nodiscard]] std::vector<FindingCard*> cards() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void surgeWanted(const highwater::analysis::SurgeFinding& finding);
    void heldWanted(const highwater::analysis::ProcessHolders& finding);
    void leakWanted(const highwater::analysis::LeakFinding& finding);
    void closeWanted();

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void arrange();

    void showFinding(FindingCard& card, analysis::FindingText text, bool isNameComing);

    std::shared_ptr<const analysis::Findings> findings_;
    bool isNaming_ = false;
    FindingCard* surge_;
    FindingCard* held_;
    std::array<FindingCard*, 2> leaks_;
    QToolButton* close_;
};

} // namespace highwater::ui
