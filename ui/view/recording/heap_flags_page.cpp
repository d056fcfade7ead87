#include "ui/view/recording/heap_flags_page.h"

#include "ui/format/plain_text.h"
#include "ui/view/access/row_height.h"
#include "ui/view/parts/plain_widgets.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

constexpr QSize kFlagsPageSize{520, 340};

} // namespace

HeapFlagsPage::HeapFlagsPage(QWidget* parent)
    : QDialog(parent),
      words_(new PlainLabel),
      list_(new QTreeWidget),
      problem_(new PlainLabel),
      clear_(new QPushButton) {
    build();
    setPrograms({});
    setProblem({});
}

void HeapFlagsPage::build() {
    setObjectName(QStringLiteral("heapFlagsPage"));
    setWindowTitle(tr("Heap Tracing Flags"));
    resize(kFlagsPageSize);
    words_->setWordWrap(true);
    list_->setObjectName(QStringLiteral("flaggedPrograms"));
    list_->setHeaderLabels({tr("Program"), tr("Set By")});
    list_->setRootIsDecorated(false);
    useOneRowHeight(*list_);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setStretchLastSection(false);
    problem_->setObjectName(QStringLiteral("heapFlagsProblem"));
    problem_->setWordWrap(true);
    clear_->setObjectName(QStringLiteral("clearHeapFlags"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(clear_, QDialogButtonBox::ActionRole);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(words_);
    layout->addWidget(list_, 1);
    layout->addWidget(problem_);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(list_, &QTreeWidget::itemSelectionChanged, this, &HeapFlagsPage::follow);
    connect(clear_, &QPushButton::clicked, this, [this] { emit clearWanted(selected()); });
}

void HeapFlagsPage::setPrograms(const QList<HeapFlagRow>& programs) {
    QStringList before;
    for (const auto* item : list_->selectedItems())
        before << item->text(0);
    list_->clear();
    for (const auto& program : programs) {
        const auto owner = program.isRecording ? tr("A running recording") : tr("Not a running recording");
        auto* item = new QTreeWidgetItem(list_, {program.program, owner});
        if (program.isRecording) item->setFlags(item->flags() & ~Qt::ItemIsSelectable);
        item->setSelected(before.contains(program.program));
    }
    list_->resizeColumnToContents(1);
    words_->setText(programs.isEmpty()
                        ? tr("No program is flagged. Windows traces heaps only in programs that are being recorded.")
                        : tr("Windows prepares heap tracing in these programs whenever they start, for all users, "
                             "until the flag is cleared. They are slowed down only while heaps are being recorded."));
    follow();
}

void HeapFlagsPage::setProblem(const QString& sentence) {
    problem_->setText(wrappingText(sentence));
    problem_->setVisible(!sentence.isEmpty());
}

/// Without a selection, all programs whose flags can be cleared.
QStringList HeapFlagsPage::selected() const {
    QStringList some, all;
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        const auto* item = list_->topLevelItem(i);
        if ((item->flags() & Qt::ItemIsSelectable) == 0) continue;
        all << item->text(0);
        if (item->isSelected()) some << item->text(0);
    }
    return some.isEmpty() ? all : some;
}

void HeapFlagsPage::follow() {
    clear_->setText(list_->selectedItems().isEmpty() ? tr("Clear &All") : tr("&Clear Selected"));
    clear_->setEnabled(!selected().isEmpty());
}

} // namespace highwater::ui

#include "moc_heap_flags_page.cpp"
