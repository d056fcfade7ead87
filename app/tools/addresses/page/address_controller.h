#pragma once

#include "core/analysis/addresses/address_history.h"
#include "ui/state/finders/finder_of.h"

#include <QAction>
#include <QObject>
#include <QPointer>

class QDialog;
class QMainWindow;

namespace highwater::ui {
class AddressView;
class AnalysisTabs;
} // namespace highwater::ui

namespace highwater::app {

/// Trace > Find Address: a window that lists the uses of an address over the whole trace. GUI thread only.
class AddressController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive this object.
    AddressController(ui::AnalysisTabs& tabs, QMainWindow& window);

    [[nodiscard]] QAction* action() const { return action_; }

  public slots:
    /// Opens the window with the result for this address.
    void showAddress(highwater::Address address);

  signals:
    /// The user searches for this address.
    void asked(highwater::Address address);
    /// Emitted when stacks are shown, so that function names are loaded.
    void namesWanted();

  private:
    using Request = ui::Asked<analysis::AddressQuery>;

    void show();
    void ask(Address address, ui::Urgency urgency);
    void deliver(const Request& request, Result<analysis::AddressHistory> answer);

    ui::AnalysisTabs& tabs_;
    QMainWindow& window_;
    ui::FinderOf<Request, analysis::AddressHistory> finder_;
    QAction* action_;
    QPointer<QDialog> dialog_;
    QPointer<ui::AddressView> view_;
    std::optional<Address> asked_; ///< address in the displayed trace
};

} // namespace highwater::app
