#include "ui/view/table/annotation_editor.h"

#include "ui/format/plain_text.h"
#include "ui/view/parts/line_icons.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/parts/query_field.h"
#include "ui/view/parts/query_help.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr QSize kEditorSize{720, 400};
constexpr int kLabelWidth = 160;

/// Columns available in a label's query.
QStringList namesFor(analysis::Table table) {
    auto names = queryColumnNames(table);
    names.removeAll(QStringLiteral("Annotation"));
    names.removeAll(QStringLiteral("Series Name"));
    return names;
}

QToolButton* addLineButton(QHBoxLayout& layout, LineIcon icon, const char* name, const QString& words) {
    auto* button = new QToolButton;
    button->setObjectName(QString::fromLatin1(name));
    button->setIcon(lineIcon(icon));
    button->setAutoRaise(true);
    button->setToolTip(tooltipText(words));
    button->setAccessibleName(words);
    button->setFocusPolicy(Qt::TabFocus);
    layout.addWidget(button);
    return button;
}

} // namespace

AnnotationEditor::AnnotationEditor(analysis::Table table, QWidget* parent)
    : QDialog(parent), table_(table), list_(new QWidget), lines_(new QVBoxLayout), problems_(new PlainLabel) {
    build();
    setRules({});
}

void AnnotationEditor::build() {
    setObjectName(QStringLiteral("annotationEditor"));
    setWindowTitle(tr("Annotations"));
    setModal(false);
    resize(kEditorSize);
    auto* words = new PlainLabel(
        tr("Each row gets the label of the first query that it matches, or (none) if it does not match "
           "any. A label without a query applies to all remaining rows. In a query, columns such as [Size] mean the "
           "value of a single allocation, not of a group. Group or filter by the Annotation column."));
    words->setWordWrap(true);
    lines_->setContentsMargins(0, 0, 0, 0);
    lines_->setSpacing(4);
    auto* outer = new QVBoxLayout(list_);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addLayout(lines_);
    outer->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("annotationLines"));
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setWidget(list_);
    problems_->setObjectName(QStringLiteral("annotationProblems"));
    problems_->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(words);
    layout->addWidget(scroll, 1);
    layout->addWidget(problems_);
    addButtons(*layout);
}

void AnnotationEditor::addButtons(QVBoxLayout& layout) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    auto* add = buttons->addButton(tr("&Add Label"), QDialogButtonBox::ActionRole);
    add->setObjectName(QStringLiteral("addAnnotation"));
    add->setAutoDefault(false);
    auto* help = buttons->addButton(tr("&Query Language"), QDialogButtonBox::HelpRole);
    help->setAutoDefault(false);
    layout.addWidget(buttons);
    connect(add, &QPushButton::clicked, this, [this] { addRule({}, shown_.size()); });
    connect(help, &QPushButton::clicked, this, [this] { showQueryHelp(this, table_); });
    connect(buttons, &QDialogButtonBox::accepted, this, &AnnotationEditor::take);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void AnnotationEditor::setRules(const std::vector<AnnotationRule>& rules) {
    while (auto* item = lines_->takeAt(0)) {
        // The line may be the sender of the current click.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    shown_.clear();
    for (const auto& rule : rules)
        addLine(rule);
    if (rules.empty()) addLine({});
    check();
}

void AnnotationEditor::addLine(const AnnotationRule& rule) {
    const auto place = shown_.size();
    auto* widget = new QWidget;
    auto* layout = new QHBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    Line line{new QLineEdit, new QueryField(namesFor(table_))};
    line.label->setObjectName(QStringLiteral("annotationLabel"));
    line.label->setAccessibleName(tr("Label %1").arg(place + 1));
    line.label->setPlaceholderText(tr("Label"));
    line.label->setMaxLength(static_cast<int>(analysis::kLongestLabel));
    line.label->setMinimumWidth(kLabelWidth);
    line.label->setText(rule.label);
    line.label->setCursorPosition(0);
    line.query->setObjectName(QStringLiteral("annotationQuery"));
    line.query->setAccessibleName(tr("Query of label %1").arg(place + 1));
    line.query->setPlaceholderText(tr("Query, such as [Process]:~=\"app\"; empty for all remaining rows"));
    line.query->setToolTip(tooltipText(queryOperators()));
    line.query->setText(rule.query);
    line.query->setCursorPosition(0);
    layout->addWidget(line.label, 1);
    layout->addWidget(line.query, 3);
    shown_.push_back(line);
    addLineButtons(*widget, place);
    lines_->addWidget(widget);
    connect(line.label, &QLineEdit::textChanged, this, &AnnotationEditor::check);
    connect(line.query, &QLineEdit::textChanged, this, &AnnotationEditor::check);
    connect(line.query, &QueryField::nextWanted, this, &AnnotationEditor::take);
    connect(line.query, &QueryField::closeWanted, this, &QDialog::reject);
    connect(line.query, &QueryField::helpWanted, this, [this] { showQueryHelp(this, table_); });
}

void AnnotationEditor::addLineButtons(QWidget& line, std::size_t place) {
    auto& layout = *static_cast<QHBoxLayout*>(line.layout());
    auto* up = addLineButton(layout, LineIcon::Up, "annotationUp", tr("Try this query earlier"));
    auto* down = addLineButton(layout, LineIcon::Down, "annotationDown", tr("Try this query later"));
    auto* remove = addLineButton(layout, LineIcon::Close, "removeAnnotation", tr("Remove this label"));
    up->setEnabled(place > 0);
    connect(up, &QToolButton::clicked, this, [this, place] { moveLine(place, -1); });
    connect(down, &QToolButton::clicked, this, [this, place] { moveLine(place, 1); });
    connect(remove, &QToolButton::clicked, this, [this, place] { removeLine(place); });
}

void AnnotationEditor::addRule(const AnnotationRule& rule, std::size_t place) {
    auto changed = rules();
    std::erase_if(changed, [](const auto& known) { return known.isBlank(); });
    place = std::min(place, changed.size());
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(place), rule);
    isConfirmed_ = false;
    setRules(changed);
    focus(place, Part::Label);
}

void AnnotationEditor::removeLine(std::size_t place) {
    auto changed = rules();
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(place));
    setRules(changed);
    focus(std::min(place, shown_.size() - 1), Part::Label);
}

void AnnotationEditor::moveLine(std::size_t place, int by) {
    auto changed = rules();
    const auto to = place + static_cast<std::size_t>(by);
    if (to >= changed.size()) return;
    std::swap(changed[place], changed[to]);
    setRules(changed);
    focus(to, Part::Label);
}

void AnnotationEditor::focus(std::size_t place, Part part) {
    QLineEdit* field = part == Part::Label ? shown_[place].label : shown_[place].query;
    field->setFocus(Qt::OtherFocusReason);
}

std::vector<AnnotationRule> AnnotationEditor::rules() const {
    std::vector<AnnotationRule> rules;
    for (const auto& line : shown_)
        rules.push_back({line.label->text(), line.query->text()});
    return rules;
}

void AnnotationEditor::say(const QString& sentence) {
    problems_->setText(wrappingText(sentence));
    problems_->show();
}

void AnnotationEditor::check() {
    for (const auto& line : shown_)
        line.query->clearMark();
    const auto found = troubleOf(table_, rules());
    const bool isSaid = found && (!found->isOfLabel || isConfirmed_);
    problems_->setVisible(isSaid);
    if (!isSaid) return;
    say(tr("Line %1: %2").arg(found->rule + 1).arg(found->trouble.sentence));
    if (!found->isOfLabel) shown_[found->rule].query->mark(found->trouble.position, found->trouble.length);
}

void AnnotationEditor::take() {
    isConfirmed_ = true;
    check();
    if (const auto found = troubleOf(table_, rules())) {
        const auto place = std::min(found->rule, shown_.size() - 1);
        return focus(place, found->isOfLabel ? Part::Label : Part::Query);
    }
    emit applied(annotationsOf(table_, rules()));
    accept();
}

} // namespace highwater::ui

#include "moc_annotation_editor.cpp"
