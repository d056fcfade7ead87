#include "ui/view/symbols/symbol_paths_dialog.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

constexpr QSize kDialogSize{760, 460};

} // namespace

SymbolPathsDialog::SymbolPathsDialog(const symbols::Environment& environment, const QString& usualCache,
                                     QWidget* parent)
    : QDialog(parent),
      tabs_(new QTabWidget),
      paths_(new SymbolPathsPage(environment)),
      settings_(new SymbolLoadSettings(usualCache)) {
    build();
}

void SymbolPathsDialog::build() {
    setObjectName(QStringLiteral("symbolPathsDialog"));
    setWindowTitle(tr("Configure Symbol Paths"));
    setModal(false);
    resize(kDialogSize);
    tabs_->setObjectName(QStringLiteral("symbolTabs"));
    tabs_->addTab(paths_, tr("Paths"));
    tabs_->addTab(settings_, tr("Load Settings"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Apply | QDialogButtonBox::Cancel);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(tabs_, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        emit applied(choices());
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::Apply), &QPushButton::clicked, this, [this] { emit applied(choices()); });
}

void SymbolPathsDialog::setChoices(const SymbolChoices& choices, const QStringList& traces,
                                   const QList<OfferedFolder>& offers) {
    paths_->model().setTraces(traces);
    paths_->model().setPath(choices.path);
    paths_->model().setUsesTraceFolders(choices.usesTraceFolders);
    paths_->setOffers(offers);
    settings_->setChoices(choices);
}

SymbolChoices SymbolPathsDialog::choices() const {
    SymbolChoices choices;
    choices.path = paths_->model().path();
    choices.usesTraceFolders = paths_->model().usesTraceFolders();
    settings_->putInto(choices);
    return choices;
}

} // namespace highwater::ui

#include "moc_symbol_paths_dialog.cpp"
