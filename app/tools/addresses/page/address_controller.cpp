#include "app/tools/addresses/page/address_controller.h"

#include "app/tools/addresses/page/address_view.h"
#include "ui/format/qt_text.h"
#include "ui/state/analysis_state.h"
#include "ui/view/analysis/analysis_tabs.h"

#include <QDialog>
#include <QLineEdit>
#include <QMainWindow>
#include <QVBoxLayout>

namespace highwater::app {
namespace {

constexpr QSize kAddressSize{900, 560};

} // namespace

AddressController::AddressController(ui::AnalysisTabs& tabs, QMainWindow& window)
    : QObject(&window),
      tabs_(tabs),
      window_(window),
      finder_(*this, ui::foundBy<analysis::findAddress>,
              [this](const Request& request, Result<analysis::AddressHistory> answer) {
                  deliver(request, std::move(answer));
              }),
      action_(new QAction(tr("Find A&ddress…"), this)) {
    action_->setObjectName(QStringLiteral("findAddress"));
    action_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A));
    connect(action_, &QAction::triggered, this, &AddressController::show);
    connect(&tabs_.shown(), &ui::TraceOnScreen::changed, this, [this](ui::TraceOnScreen::Changes changes) {
        if (changes & (ui::TraceOnScreen::NewTrace | ui::TraceOnScreen::Cleared)) {
            finder_.cancel();
            asked_.reset();
            if (view_) view_->clear({});
        } else if (changes.testFlag(ui::TraceOnScreen::Names) && view_ && asked_) {
            ask(*asked_, ui::Urgency::WhenIdle);
        }
    });
}

void AddressController::show() {
    if (!dialog_) {
        dialog_ = new QDialog(&window_);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        dialog_->setObjectName(QStringLiteral("addressDialog"));
        dialog_->setWindowTitle(tr("Find Address"));
        dialog_->resize(kAddressSize);
        view_ = new ui::AddressView;
        auto* layout = new QVBoxLayout(dialog_);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(view_);
        connect(view_, &ui::AddressView::addressWanted, this,
                [this](Address address) { ask(address, ui::Urgency::Now); });
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
    view_->box().setFocus();
    view_->box().selectAll();
}

void AddressController::showAddress(Address address) {
    show();
    view_->box().setText(QStringLiteral("0x") + QString::number(address, 16));
    ask(address, ui::Urgency::Now);
}

void AddressController::ask(Address address, ui::Urgency urgency) {
    const auto& shown = tabs_.shown();
    if (!shown.trace()) return view_->clear(tr("No trace is open."));
    asked_ = address;
    Request request{shown.trace(), shown.labels(), {}};
    request.query.address = address;
    request.query.processExitFreesHeap = tabs_.options().processExitFreesHeap;
    emit namesWanted();
    emit asked(address);
    finder_.ask(std::move(request), urgency);
}

void AddressController::deliver(const Request& request, Result<analysis::AddressHistory> answer) {
    if (!view_) return;
    if (answer.hasValue())
        view_->setAnswer(std::make_shared<const analysis::AddressHistory>(std::move(answer).value()),
                         request.query.address);
    else
        view_->clear(ui::toQString(answer.error().message));
}

} // namespace highwater::app

#include "moc_address_controller.cpp"
