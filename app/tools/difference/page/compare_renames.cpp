#include "app/tools/difference/page/compare_renames.h"

#include "app/settings/application_settings.h"
#include "app/tools/difference/page/difference_view.h"
#include "app/tools/difference/page/rename_offer.h"
#include "app/tools/difference/page/renames_dialog.h"

namespace highwater::app {

CompareRenames::CompareRenames(ApplicationSettings& settings, ui::DifferenceView& view)
    : settings_(settings), view_(view) {
    connect(&view.offer(), &ui::RenameOffer::wanted, this, &CompareRenames::add);
    connect(&view, &ui::DifferenceView::renamesWanted, this, &CompareRenames::askForAll);
}

void CompareRenames::setPair(const QString& pair) {
    if (pair == pair_) return;
    pair_ = pair;
    renames_.reset();
    view_.offer().forget();
    const auto kept = pair.isEmpty() ? QString() : settings_.renamesBetween(pair);
    if (auto renames = analysis::Renames::parse(kept.toStdString()); renames.hasValue() && !renames.value().isEmpty())
        renames_ = std::make_shared<const analysis::Renames>(std::move(renames).value());
    view_.setRenamable(!pair.isEmpty(), renames_ ? renames_->lines().size() : 0);
}

void CompareRenames::set(analysis::Renames renames) {
    settings_.setRenamesBetween(pair_, QString::fromStdString(renames.text()));
    renames_ = renames.isEmpty() ? nullptr : std::make_shared<const analysis::Renames>(std::move(renames));
    view_.setRenamable(true, renames_ ? renames_->lines().size() : 0);
    emit changed();
}

void CompareRenames::add(const QString& before, const QString& after) {
    auto renames = renames_ ? *renames_ : analysis::Renames();
    if (renames.add(before.toStdString(), after.toStdString()).hasValue()) set(std::move(renames));
}

void CompareRenames::askForAll() {
    const auto& answer = view_.model().answer();
    auto* dialog =
        new ui::RenamesDialog(renames_ ? *renames_ : analysis::Renames(),
                              answer ? answer->suggestions : std::vector<analysis::SuggestedRename>(), &view_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, pair = pair_] {
        if (pair == pair_) set(dialog->renames()); // otherwise other traces are compared now
    });
    dialog->open();
}

} // namespace highwater::app

#include "moc_compare_renames.cpp"
