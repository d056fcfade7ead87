#include "app/tools/difference/page/rename_offer.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/parts/elided_label.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace highwater::ui {
namespace {

QString keyOf(const analysis::SuggestedRename& suggestion) {
    return toQString(suggestion.before) + QLatin1Char('\n') + toQString(suggestion.after);
}

} // namespace

RenameOffer::RenameOffer(QWidget* parent)
    : QWidget(parent),
      words_(new ElidedLabel({})),
      accept_(new QPushButton(tr("Treat as Re&named"))),
      turnDown_(new QToolButton) {
    setObjectName(QStringLiteral("renameOffer"));
    words_->setObjectName(QStringLiteral("renameOfferWords"));
    words_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    accept_->setObjectName(QStringLiteral("renameOfferAccept"));
    accept_->setToolTip(tr("Compare both as one, and add this to the renames of these two traces"));
    turnDown_->setObjectName(QStringLiteral("renameOfferTurnDown"));
    turnDown_->setText(tr("No"));
    turnDown_->setAutoRaise(true);
    turnDown_->setFocusPolicy(Qt::TabFocus);
    turnDown_->setToolTip(tr("Treat them as different"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(words_, 1);
    layout->addWidget(accept_);
    layout->addWidget(turnDown_);
    connect(accept_, &QPushButton::clicked, this, [this] {
        if (const auto* suggestion = first()) emit wanted(toQString(suggestion->before), toQString(suggestion->after));
    });
    connect(turnDown_, &QToolButton::clicked, this, [this] {
        if (const auto* suggestion = first()) turnedDown_.insert(keyOf(*suggestion));
        showFirst();
    });
    hide();
}

const analysis::SuggestedRename* RenameOffer::first() const {
    const auto found = std::find_if(suggestions_.begin(), suggestions_.end(),
                                    [this](const auto& one) { return !turnedDown_.contains(keyOf(one)); });
    return found == suggestions_.end() ? nullptr : &*found;
}

void RenameOffer::setSuggestions(std::vector<analysis::SuggestedRename> suggestions) {
    suggestions_ = std::move(suggestions);
    showFirst();
}

void RenameOffer::showFirst() {
    const auto* suggestion = first();
    setVisible(suggestion != nullptr);
    if (suggestion != nullptr) words_->setText(lineText(analysis::reasonOf(*suggestion)));
}

} // namespace highwater::ui

#include "moc_rename_offer.cpp"
