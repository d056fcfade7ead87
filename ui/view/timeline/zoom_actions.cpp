#include "ui/view/timeline/zoom_actions.h"

#include "ui/view/parts/command_look.h"

namespace highwater::ui {

// Enter, Home and Escape alone have other meanings in other widgets. The timeline handles them while it has the focus,
// and the menu only shows them (the text after the tab).
ZoomActions::ZoomActions(AnalysisState& state, QObject* parent)
    : QObject(parent),
      state_(state),
      toSelection_(new QAction(tr("&Zoom to Selection\tEnter"), this)),
      back_(new QAction(tr("&Back"), this)),
      forward_(new QAction(tr("&Forward"), this)),
      showAll_(new QAction(tr("Whole Tr&ace"), this)),
      clearSelection_(new QAction(tr("&Clear Selection\tEsc"), this)),
      highlight_(new QAction(tr("&Highlight Selection"), this)),
      clearHighlight_(new QAction(tr("Clear H&ighlight"), this)),
      clearInstant_(new QAction(tr("Return to the Interva&l\tL"), this)) {
    build();
    connectState();
    refresh();
}

void ZoomActions::build() {
    toSelection_->setObjectName(QStringLiteral("zoomToSelection"));
    back_->setObjectName(QStringLiteral("unzoom"));
    back_->setShortcuts({QKeySequence(Qt::Key_Backspace), QKeySequence(Qt::ALT | Qt::Key_Left)});
    forward_->setObjectName(QStringLiteral("zoomForward"));
    forward_->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Right));
    showAll_->setObjectName(QStringLiteral("showAll"));
    showAll_->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Home));
    clearSelection_->setObjectName(QStringLiteral("clearSelection"));
    highlight_->setObjectName(QStringLiteral("highlightSelection"));
    clearHighlight_->setObjectName(QStringLiteral("clearHighlight"));
    clearInstant_->setObjectName(QStringLiteral("clearInstant"));
    setLook(*toSelection_, LineIcon::Zoom, tr("Zoom"),
            tr("Zoom to the selection; tables then cover only the selection"));
    setLook(*back_, LineIcon::Back, tr("Back"), tr("Back through zooms and filters"));
    setLook(*forward_, LineIcon::Forward, tr("Forward"), tr("Forward through zooms and filters"));
    setLook(*showAll_, LineIcon::WholeTrace, tr("Whole Trace"), tr("Show the whole trace"));
}

void ZoomActions::connectState() {
    connect(toSelection_, &QAction::triggered, &state_, &AnalysisState::zoomToSelection);
    connect(back_, &QAction::triggered, &state_, &AnalysisState::back);
    connect(forward_, &QAction::triggered, &state_, &AnalysisState::forward);
    connect(showAll_, &QAction::triggered, &state_, &AnalysisState::showAll);
    connect(clearSelection_, &QAction::triggered, &state_, &AnalysisState::clearSelection);
    connect(highlight_, &QAction::triggered, &state_, &AnalysisState::highlightSelection);
    connect(clearHighlight_, &QAction::triggered, &state_, &AnalysisState::clearHighlight);
    connect(clearInstant_, &QAction::triggered, &state_, &AnalysisState::clearInstant);
    connect(&state_, &AnalysisState::changed, this, &ZoomActions::refresh);
}

void ZoomActions::refresh() {
    toSelection_->setEnabled(state_.selection().has_value());
    back_->setEnabled(state_.canGoBack());
    forward_->setEnabled(state_.canGoForward());
    showAll_->setEnabled(state_.isZoomed());
    clearSelection_->setEnabled(state_.selection().has_value());
    highlight_->setEnabled(state_.selection().has_value());
    clearHighlight_->setEnabled(state_.highlight().has_value());
    clearInstant_->setEnabled(state_.instant().has_value());
}

QList<QAction*> ZoomActions::all() const {
    return {toSelection_, back_, forward_, showAll_, clearSelection_, highlight_, clearHighlight_, clearInstant_};
}

} // namespace highwater::ui

#include "moc_zoom_actions.cpp"
