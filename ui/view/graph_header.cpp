#include "ui/view/graph_header.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace highwater::ui {

GraphHeader::GraphHeader(GraphState& graph, QWidget* parent) : QFrame(parent), graph_(graph) { build(); }

void GraphHeader::build() {
    setObjectName(QStringLiteral("graphHeader"));
    const auto title = analysis::tableTitle(graph_.table());
    auto* name = new QLabel(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())));
    auto font = name->font();
    font.setBold(true);
    name->setFont(font);
    auto* close = new QToolButton;
    close->setObjectName(QStringLiteral("closeGraph"));
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close this graph"));
    connect(close, &QToolButton::clicked, this, &GraphHeader::closeWanted);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 1, 4, 1);
    layout->addWidget(name);
    layout->addStretch(1);
    layout->addWidget(close);
}

} // namespace highwater::ui
