#pragma once

#include "core/analysis/addresses/address_map.h"
#include "ui/state/finders/finder_of.h"

#include <QColor>
#include <QImage>
#include <QObject>

#include <memory>
#include <optional>
#include <stop_token>

namespace highwater::ui {

/// From the first address to the last.
struct AddressWindow {
    Address first = 0;
    Address last = 0;
    friend bool operator==(const AddressWindow&, const AddressWindow&) = default;
};

/// What pixels are painted with where all of them is committed, or has blocks that are kept, or were freed.
struct AddressMapColors {
    QColor committed, kept, freed;
    friend bool operator==(const AddressMapColors&, const AddressMapColors&) = default;
};

/// A picture of the addresses of a process over time.
struct AddressMapRequest {
    std::shared_ptr<const store::PublishedTrace> trace;
    analysis::AddressMapQuery query;     ///< without positions
    std::optional<AddressWindow> window; ///< none: all addresses
    AddressMapColors colors;
    /// Of this trace and process, where it is known already.
    std::shared_ptr<const analysis::AddressLayout> layout;
};

/// Never changes.
struct AddressMapAnswer {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<const analysis::AddressLayout> layout;
    analysis::AddressMap map;
    QImage picture; ///< the highest address at the top; null: there is nothing
    [[nodiscard]] bool isSample() const { return map.query.sample > 1; }
};

[[nodiscard]] Result<AddressMapAnswer> answerAddressMap(const AddressMapRequest& request, const std::stop_token& stop);
/// How many rows are looked at for one that is, to have a first picture within a blink.
[[nodiscard]] std::uint32_t firstSampleOf(const store::PublishedTrace& trace);

/// Asks for pictures on a worker and brings the newest to the GUI thread, where it lives; of a large trace first one of
/// a sample of its rows. Remembers where the addresses of a process lie.
class AddressMapFinder : public QObject {
    Q_OBJECT
  public:
    explicit AddressMapFinder(QObject* parent = nullptr);

    void ask(AddressMapRequest request, Urgency urgency);
    void cancel() { finder_.cancel(); }
    /// Another trace.
    void forget();
    [[nodiscard]] bool isBusy() const { return finder_.isBusy(); }

  signals:
    void busyChanged(bool busy);
    void answered(std::shared_ptr<const highwater::ui::AddressMapAnswer> answer);
    /// Never for questions that were cancelled.
    void failed(const QString& sentence);

  private:
    void deliver(const AddressMapRequest& request, Result<AddressMapAnswer> answer);

    std::shared_ptr<const AddressMapAnswer> newest_; ///< of all rows
    FinderOf<AddressMapRequest, AddressMapAnswer> finder_;
};

} // namespace highwater::ui
