#include "ui/view/symbols/symbol_paths_page.h"

#include "ui/format/plain_text.h"
#include "ui/view/access/row_height.h"
#include "ui/view/parts/plain_widgets.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

using Kind = symbols::SymbolPathEntry::Kind;

const auto kMicrosoft = QStringLiteral("srv**https://msdl.microsoft.com/download/symbols");
constexpr int kHelpLines = 3;

} // namespace

SymbolPathsPage::SymbolPathsPage(symbols::Environment environment, QWidget* parent)
    : QWidget(parent),
      environment_(environment),
      model_(std::move(environment)),
      list_(new QTreeView),
      ngen_(new QCheckBox(tr("Load &NGEN PDBs from the folder next to the trace"))),
      ngenNote_(new PlainLabel),
      help_(new PlainLabel),
      add_(new QMenu(this)) {
    build();
    followCurrent();
    followTraceFolders();
}

void SymbolPathsPage::build() {
    list_->setObjectName(QStringLiteral("symbolPaths"));
    list_->setAccessibleName(tr("Symbol paths"));
    list_->setModel(&model_);
    list_->setRootIsDecorated(false);
    useOneRowHeight(*list_);
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(SymbolPathModel::kPlace, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(SymbolPathModel::kKind, QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(SymbolPathModel::kNote, QHeaderView::ResizeToContents);
    help_->setObjectName(QStringLiteral("symbolPathHelp"));
    help_->setWordWrap(true);
    help_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    help_->setMinimumHeight(fontMetrics().lineSpacing() * kHelpLines);
    auto* buttons = new QVBoxLayout;
    buildButtons(*buttons);
    auto* row = new QHBoxLayout;
    row->addWidget(list_, 1);
    row->addLayout(buttons);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(row, 1);
    ngen_->setObjectName(QStringLiteral("loadNgenPdbs"));
    ngen_->setToolTip(
        tooltipText(tr("Recorders save the PDBs of .NET code compiled by NGEN in a folder TRACE.etl.NGENPDB because no "
                       "symbol server has them. Large PDBs are slow to read. The setting applies to all traces.")));
    ngenNote_->setObjectName(QStringLiteral("ngenPdbsNote"));
    ngenNote_->setWordWrap(true);
    layout->addWidget(ngen_);
    layout->addWidget(ngenNote_);
    layout->addWidget(help_);
    connect(ngen_, &QCheckBox::toggled, &model_, &SymbolPathModel::setUsesTraceFolders);
    connect(&model_, &SymbolPathModel::traceFoldersChanged, this, &SymbolPathsPage::followTraceFolders);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, &SymbolPathsPage::followCurrent);
    connect(&model_, &QAbstractItemModel::dataChanged, this, &SymbolPathsPage::followCurrent);
    connect(&model_, &QAbstractItemModel::rowsInserted, this, &SymbolPathsPage::followCurrent);
    connect(&model_, &QAbstractItemModel::rowsRemoved, this, &SymbolPathsPage::followCurrent);
    connect(&model_, &QAbstractItemModel::rowsMoved, this, &SymbolPathsPage::followCurrent);
}

QPushButton* SymbolPathsPage::addButton(QVBoxLayout& column, const char* name, const QString& text,
                                        void (SymbolPathsPage::*does)()) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setAutoDefault(false); // Enter is for OK
    column.addWidget(button);
    if (does) connect(button, &QPushButton::clicked, this, does);
    return button;
}

void SymbolPathsPage::buildButtons(QVBoxLayout& column) {
    buildAddMenu();
    addButton(column, "addPath", tr("&Add"), nullptr)->setMenu(add_);
    edit_ = addButton(column, "editPath", tr("&Edit"), &SymbolPathsPage::edit);
    up_ = addButton(column, "pathUp", tr("&Up"), &SymbolPathsPage::moveUp);
    down_ = addButton(column, "pathDown", tr("&Down"), &SymbolPathsPage::moveDown);
    remove_ = addButton(column, "removePath", tr("&Remove"), &SymbolPathsPage::remove);
    column.addSpacing(8);
    addButton(column, "resetPaths", tr("Re&set"), &SymbolPathsPage::reset)
        ->setToolTip(tr("Restore the default list: _NT_SYMBOL_PATH and the defaults for this system"));
    addButton(column, "copyPaths", tr("&Copy All"), &SymbolPathsPage::copyAll)
        ->setToolTip(tr("Copy all entries as text in the format of _NT_SYMBOL_PATH"));
    addButton(column, "pastePaths", tr("&Paste"), &SymbolPathsPage::paste)
        ->setToolTip(tr("Add the entries of a text in the format of _NT_SYMBOL_PATH"));
    column.addStretch(1);
}

void SymbolPathsPage::buildAddMenu() {
    const auto add = [this](const char* name, const QString& words, auto does) {
        auto* action = add_->addAction(words);
        action->setObjectName(QLatin1String(name));
        connect(action, &QAction::triggered, this, does);
        return action;
    };
    add("addFolder", tr("&Folder…"), [this] { addFolder(Kind::Folder); });
    add("addServer", tr("Symbol &Server"), [this] { addText(QStringLiteral("srv**https://")); });
    const auto addMicrosoft = [this] { addText(kMicrosoft); };
    add("addMicrosoft", tr("&Microsoft's Symbol Server"), addMicrosoft)->setToolTip(tooltipText(kMicrosoft));
    add("addCache", tr("&Cache Folder…"), [this] { addFolder(Kind::Cache); });
    add("addBuildId", tr("&Build-id Folder…"), [this] { addFolder(Kind::BuildIdFolder); });
    add("addDebuginfod", tr("&debuginfod Server"), [this] { addText(QStringLiteral("debuginfod:https://")); });
    add_->addSeparator();
    add_->setToolTipsVisible(true);
}

void SymbolPathsPage::setOffers(const QList<OfferedFolder>& offers) {
    for (const auto& offer : offers) {
        auto* action = add_->addAction(menuText(offer.words));
        action->setObjectName(QStringLiteral("addOffered"));
        action->setToolTip(tooltipText(offer.path));
        connect(action, &QAction::triggered, this, [this, offer] {
            select(model_.insert(currentRow(), {Kind::Folder, {}, offer.path.toStdString(), true}));
        });
    }
}

void SymbolPathsPage::followTraceFolders() {
    ngen_->setChecked(model_.usesTraceFolders());
    ngenNote_->setText(model_.traceFoldersNote());
    ngenNote_->setVisible(!ngenNote_->text().isEmpty());
}

int SymbolPathsPage::currentRow() const { return list_->currentIndex().row(); }

void SymbolPathsPage::select(int row) {
    list_->setCurrentIndex(model_.index(row, SymbolPathModel::kPlace));
    list_->setFocus();
}

/// Incomplete entries open in the editor.
void SymbolPathsPage::addText(const QString& text) {
    select(model_.insert(currentRow(), symbols::parseSymbolPathEntry(text.toStdString())));
    if (text.endsWith(QLatin1String("//"))) edit();
}

void SymbolPathsPage::addFolder(Kind kind) {
    auto* dialog = new QFileDialog(this, tr("Add a Folder"));
    dialog->setObjectName(QStringLiteral("pathFolderDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this, kind](const QString& folder) {
        select(model_.insert(currentRow(), {kind, {}, folder.toStdString(), true}));
    });
    dialog->open();
}

void SymbolPathsPage::edit() {
    if (model_.isEntry(currentRow())) list_->edit(model_.index(currentRow(), SymbolPathModel::kPlace));
}

void SymbolPathsPage::move(int by) {
    const int row = currentRow();
    if (model_.move(row, by)) list_->setCurrentIndex(model_.index(row + by, SymbolPathModel::kPlace));
}

void SymbolPathsPage::remove() {
    const int row = currentRow();
    model_.remove(row);
    if (model_.rowCount() > 0)
        list_->setCurrentIndex(model_.index(std::min(row, model_.rowCount() - 1), SymbolPathModel::kPlace));
}

void SymbolPathsPage::reset() {
    model_.setUsesTraceFolders(true);
    model_.setPath(symbols::defaultSymbolPath(environment_));
}

void SymbolPathsPage::copyAll() { QApplication::clipboard()->setText(model_.text()); }

void SymbolPathsPage::paste() {
    if (model_.paste(QApplication::clipboard()->text()) > 0)
        select(static_cast<int>(model_.path().entries().size()) - 1);
}

void SymbolPathsPage::followCurrent() {
    const int row = currentRow();
    const bool isEntry = model_.isEntry(row);
    edit_->setEnabled(isEntry);
    remove_->setEnabled(isEntry);
    up_->setEnabled(model_.canMove(row, -1));
    down_->setEnabled(model_.canMove(row, 1));
    const auto help = model_.help(row);
    help_->setText(help.isEmpty() ? tr("Debug files are used only if they belong to the exact build that was recorded. "
                                       "%VAR% is replaced by the environment variable VAR.")
                                  : help);
}

} // namespace highwater::ui

#include "moc_symbol_paths_page.cpp"
